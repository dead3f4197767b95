/* Measured points as benchmarks of Google Benchmark. The only file that sees benchmark.h; no
 * exception leaves it. */
#include "gbench.h"
#include "gbench_console.h"
#include "gbench_internal.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#ifndef ASSAY_GBENCH_VERSION
#define ASSAY_GBENCH_VERSION "unknown version"
#endif

namespace
{

using Reporter = benchmark::BenchmarkReporter;
using Run      = Reporter::Run;
using Runs     = std::vector<Run>;

using assay_gbench::clean;
using assay_gbench::Line;
using assay_gbench::Look;
using assay_gbench::percent;

/* ---- differences between versions of the library ---- */

/* Why a run has no number, "" if it has one. The field has had its second name since 1.8. */
template <class R> auto why_skipped(const R &run, int) -> decltype(run.error_message)
{
    return run.error_message;
}
template <class R> auto why_skipped(const R &run, long) -> decltype(run.skip_message)
{
    return run.skip_message;
}

bool has_number(const Run &run)
{
    return run.run_type == Run::RT_Iteration && why_skipped(run, 0).empty();
}

/* ---- what reporters see ---- */

bool is_percentage(const Run &run)
{
    return run.run_type == Run::RT_Aggregate && run.aggregate_unit == benchmark::kPercentage;
}

/* Our name alone: with "/iterations:1/repeats:12/manual_time" behind it a filter's "$" would not
 * match, nor compare.py find its partner in a run with fewer repetitions. CPU time is that of
 * reporting: zero. What is not finite (the variation of a counter that is always zero) is no JSON.
 */
Runs tidy(const Runs &runs)
{
    Runs kept;

    for (Run run : runs) {
        run.run_name.iterations.clear();
        run.run_name.repetitions.clear();
        run.run_name.time_type.clear();
        run.cpu_accumulated_time = 0;
        for (auto c = run.counters.begin(); c != run.counters.end();)
            c = std::isfinite(c->second.value) ? std::next(c) : run.counters.erase(c);
        if (std::isfinite(is_percentage(run) ? run.real_accumulated_time
                                             : run.GetAdjustedRealTime()))
            kept.push_back(run);
    }
    return kept;
}

class Console : public benchmark::ConsoleReporter
{
  public:
    explicit Console(const Look &look) : ConsoleReporter(OO_None), look_(look), table_(look) {}

    bool ReportContext(const Context &) override
    {
        for (const auto &line : assay_gbench::context())
            GetErrorStream() << line.first << ": " << line.second << "\n";
        return true;
    }

    void ReportRuns(const Runs &all) override
    {
        const Runs runs       = tidy(all);
        const bool has_no_sum = std::count_if(runs.begin(), runs.end(), has_number) < 2;

        for (const Run &run : runs)
            if (is_shown(run, has_no_sum))
                table_.print(GetOutputStream(), line_of(run, runs));
    }

  private:
    /* Of fewer than two repetitions with a number the library makes no aggregates. */
    bool is_shown(const Run &run, bool has_no_sum) const
    {
        if (run.run_type == Run::RT_Iteration)
            return look_.shows_repetitions || has_no_sum;
        return look_.shows_aggregates || look_.shows_repetitions || run.aggregate_name == "median";
    }

    Line line_of(const Run &run, const Runs &runs) const
    {
        Line line;

        line.name        = look_.is_short() ? run.run_name.str() : run.benchmark_name();
        line.label       = run.report_label;
        line.error       = why_skipped(run, 0);
        line.repetitions = std::to_string(run.iterations);
        line.time        = time_of(run);
        for (const auto &c : run.counters)
            line.counters[c.first] = counter_text(run, c.second);
        for (const Run &other : runs)
            if (look_.is_short() && is_percentage(other) && other.aggregate_name == "cv")
                line.variation = percent(other.real_accumulated_time);
        return line;
    }

    std::string time_of(const Run &run) const
    {
        const double n = static_cast<double>(run.iterations ? run.iterations : 1);

        if (is_percentage(run))
            return percent(run.real_accumulated_time);
        return assay_gbench::time_text(run.real_accumulated_time / n, look_.unit);
    }

    static std::string counter_text(const Run &run, const benchmark::Counter &counter)
    {
        if (is_percentage(run))
            return percent(counter.value);
        return assay_gbench::with_prefix(counter.value) +
               (counter.flags & benchmark::Counter::kIsRate ? "/s" : "");
    }

    Look                look_;
    assay_gbench::Table table_;
};

class Json : public benchmark::JSONReporter
{
  public:
    explicit Json(const Look &) {}
    void ReportRuns(const Runs &runs) override { benchmark::JSONReporter::ReportRuns(tidy(runs)); }
};

/* The library does not look whether its file was written. */
template <class Base> class Checked : public Base
{
  public:
    Checked(const Look &look, bool *is_written) : Base(look), is_written_(is_written) {}
    void Finalize() override
    {
        Base::Finalize();
        *is_written_ = Base::GetOutputStream().flush().good();
    }

  private:
    bool *is_written_;
};

template <class Base> std::unique_ptr<Reporter> make_checked(const Look &look, bool *is_written)
{
    return std::unique_ptr<Reporter>(new Checked<Base>(look, is_written));
}

std::unique_ptr<Reporter> make_reporter(const char *format, const Look &look, bool *is_written)
{
    return std::strcmp(format, "json") == 0 ? make_checked<Json>(look, is_written)
                                            : make_checked<Console>(look, is_written);
}

/* ---- entries ---- */

struct Tally {
    const assay_gbench_entry *entry;
    int64_t                   n_reported;
};

using Tallies = std::vector<Tally>;

/* Entries that the filter wants. */
assay_status select(char *const *flags, int n_flags, const assay_gbench_entry *entries,
                    int64_t n_entries, Tallies *wanted)
{
    const char *filter = assay_gbench_flag(flags, n_flags, "filter");

    for (int64_t i = 0; i < n_entries; i++) {
        bool         is_wanted;
        assay_status st;

        if (!entries[i].name || !entries[i].name[0])
            return ASSAY_FAIL(ASSAY_E_INTERNAL, "benchmark %lld has no name",
                              static_cast<long long>(i));
        st = assay_gbench_wants(flags, n_flags, entries[i].name, &is_wanted);
        if (st != ASSAY_OK)
            return st;
        if (is_wanted)
            wanted->push_back({ &entries[i], 0 });
    }
    if (wanted->empty())
        return ASSAY_FAIL(ASSAY_E_NOTHING, "no benchmark out of %lld matches '%s'",
                          static_cast<long long>(n_entries), filter ? filter : "");
    return ASSAY_OK;
}

/* The body of every benchmark: called once a repetition, and does not know which one. */
void report_one(benchmark::State &state, Tally *tally)
{
    const assay_gbench_entry &entry      = *tally->entry;
    const int64_t             repetition = tally->n_reported++;
    const char               *error      = assay_gbench_missing(&entry, repetition);

    /* In the loop: a skipped repetition must count as many iterations as the others. */
    for (auto _ : state) {
        if (error) {
            state.SkipWithError(clean(error).c_str());
            return;
        }
        state.SetIterationTime(entry.time_ns[repetition] * 1e-9);
    }
    for (int i = 0; i < entry.n_counters; i++) {
        const assay_gbench_counter &c = entry.counters[i];

        state.counters[clean(c.name)] = benchmark::Counter(
            c.value, c.is_per_call ? benchmark::Counter::kIsRate : benchmark::Counter::kDefaults);
    }
    if (entry.label)
        state.SetLabel(clean(entry.label).c_str());
}

/* ---- flags ---- */

/* The one default that older versions do not know may be left over. */
assay_status initialize(char *const *flags, int n_flags)
{
    static char              program[] = "assay"; /* the library keeps the pointer */
    std::vector<std::string> texts;
    std::vector<char *>      arguments = { program };

    for (const char *const *flag = assay_gbench_defaults; *flag; flag++)
        texts.push_back(*flag);
    for (int i = 0; i < n_flags; i++)
        if (!assay_gbench_is_ours(flags[i]))
            texts.push_back(flags[i]);
    for (std::string &text : texts)
        arguments.push_back(&text[0]);
    int n = static_cast<int>(arguments.size());

    arguments.push_back(nullptr);
    benchmark::SetDefaultTimeUnit(benchmark::kNanosecond);
    benchmark::Initialize(&n, arguments.data());
    for (int i = 1; i < n; i++)
        if (std::strcmp(arguments[static_cast<std::size_t>(i)], "--benchmark_dry_run=false") != 0)
            return ASSAY_FAIL(ASSAY_E_USAGE, "Google Benchmark %s has no flag %s",
                              assay_gbench_version(), arguments[static_cast<std::size_t>(i)]);
    return ASSAY_OK;
}

void add_line(const std::string &key, const std::string &value)
{
    benchmark::AddCustomContext(key, value);
}

/* ---- a report ---- */

struct Registered {
    Registered() { benchmark::ClearRegisteredBenchmarks(); }
    ~Registered() { benchmark::ClearRegisteredBenchmarks(); }
};

void run_registered(Tallies *tallies, Reporter *display, Reporter *file)
{
    const Registered registered;

    for (Tally &t : *tallies) {
        Tally *tally = &t;

        benchmark::RegisterBenchmark(clean(t.entry->name).c_str(),
                                     [tally](benchmark::State &state) { report_one(state, tally); })
            ->UseManualTime()
            ->Iterations(1)
            ->Repetitions(t.entry->error ? 1 : static_cast<int>(t.entry->n_repetitions));
    }
    (void)benchmark::RunSpecifiedBenchmarks(display, file, ".");
}

assay_status check_stdout()
{
    const bool is_written = std::cout.flush().good() && std::fflush(stdout) == 0;

    std::cout.clear();
    if (is_written)
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_IO, "cannot write all benchmarks to the standard output");
}

assay_status check_run(const Tallies &tallies)
{
    for (const Tally &t : tallies) {
        const int64_t expected = t.entry->error ? 1 : t.entry->n_repetitions;

        if (t.n_reported != expected)
            return ASSAY_FAIL(ASSAY_E_INTERNAL,
                              "Google Benchmark asked for %lld of the %lld repetitions of %s",
                              static_cast<long long>(t.n_reported),
                              static_cast<long long>(expected), t.entry->name);
    }
    return check_stdout();
}

Look look_of(char *const *flags, int n_flags, const Tallies &tallies)
{
    Look look = assay_gbench::look_of(flags, n_flags);

    for (const Tally &t : tallies)
        look.widen(t.entry->name);
    return look;
}

assay_status run(char *const *flags, int n_flags, Tallies *tallies)
{
    const char  *format     = assay_gbench_flag(flags, n_flags, "format");
    const char  *path       = assay_gbench_flag(flags, n_flags, "out");
    const char  *out_format = assay_gbench_flag(flags, n_flags, "out_format");
    Look         look       = look_of(flags, n_flags, *tallies);
    bool         is_shown = true, is_written = true;
    const auto   display = make_reporter(format ? format : "console", look, &is_shown);
    assay_status st      = initialize(flags, n_flags);

    look.is_coloured = false;
    const auto file  = make_reporter(out_format ? out_format : "json", look, &is_written);
    if (st != ASSAY_OK)
        return st;
    run_registered(tallies, display.get(), path ? file.get() : nullptr);
    if (!is_written)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot write all benchmarks to %s", path);
    return check_run(*tallies);
}

assay_status report(char *const *flags, int n_flags, const assay_gbench_entry *entries,
                    int64_t n_entries)
{
    Tallies      wanted;
    assay_status st = assay_gbench_check_flags(flags, n_flags);

    if (st == ASSAY_OK)
        st = select(flags, n_flags, entries, n_entries, &wanted);
    if (st != ASSAY_OK)
        return st;
    if (assay_gbench_flag_is_on(flags, n_flags, "list_tests")) {
        for (const Tally &t : wanted)
            std::cout << clean(t.entry->name) << "\n";
        return check_stdout();
    }
    for (const Tally &t : wanted)
        if ((st = assay_gbench_check_entry(t.entry)) != ASSAY_OK)
            return st;
    st = assay_gbench::add_flag_context(assay_gbench_flag(flags, n_flags, "context"), add_line);
    return st == ASSAY_OK ? run(flags, n_flags, &wanted) : st;
}

template <class Function> assay_status guarded(const Function &function)
{
    try {
        return function();
    } catch (const std::bad_alloc &) {
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory to report benchmarks");
    } catch (const std::exception &e) {
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "Google Benchmark: %s", e.what());
    } catch (...) {
        return ASSAY_FAIL(ASSAY_E_INTERNAL,
                          "Google Benchmark threw something that is not an exception");
    }
}

} // namespace

const char *assay_gbench_version(void) { return ASSAY_GBENCH_VERSION; }

assay_status assay_gbench_add_context(const char *key, const char *value)
{
    return guarded([=] { return assay_gbench::add_context(clean(key), clean(value), add_line); });
}

assay_status assay_gbench_report(char *const *flags, int n_flags, const assay_gbench_entry *entries,
                                 int64_t n_entries)
{
    return guarded([=] { return report(flags, n_flags, entries, n_entries); });
}
