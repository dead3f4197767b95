/* The console's table of benchmarks, and texts that strict readers take. */
#include "gbench_console.h"

#include "base/text.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <unistd.h>

namespace assay_gbench
{

std::string clean(const char *text)
{
    std::string to;

    for (const char *p = text; *p;) {
        bool              is_shown   = false;
        const std::size_t n          = assay_text_character(p, &is_shown);
        const bool        is_control = (*p >= 0 && *p < ' ') || *p == 0x7F;

        if (is_shown)
            to.append(p, n);
        else
            to.append(n, is_control ? ' ' : '?');
        p += n;
    }
    return to;
}

std::string digits(double value)
{
    char      text[400];
    const int exponent =
        value != 0 ? static_cast<int>(std::floor(std::log10(std::fabs(value)))) : 3;
    const int decimals = exponent > 3 ? 0 : exponent < -9 ? 12 : 3 - exponent;

    (void)std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string with_prefix(double value)
{
    static const char *const prefixes[] = { "", "k", "M", "G", "T", "P" };
    std::size_t              i          = 0;

    for (; std::fabs(value) >= 1000 && i + 1 < sizeof prefixes / sizeof prefixes[0]; i++)
        value /= 1000;
    return digits(value) + prefixes[i];
}

std::string percent(double share) { return digits(100 * share) + " %"; }

std::string time_text(double seconds, const char *unit)
{
    static const struct {
        const char *name;
        double      per_second;
    } units[]     = { { "ns", 1e9 }, { "us", 1e6 }, { "ms", 1e3 }, { "s", 1 } };
    std::size_t i = 0;

    while (i + 1 < sizeof units / sizeof units[0] &&
           (unit ? std::strcmp(unit, units[i].name) != 0 : seconds * units[i].per_second >= 1000))
        i++;
    return digits(seconds * units[i].per_second) + " " + units[i].name;
}

/* ---- the table ---- */

enum Side {
    LEFT,
    RIGHT
};

static std::string padded(const std::string &text, std::size_t width, Side side)
{
    const std::string space(text.size() < width ? width - text.size() : 0, ' ');

    return side == LEFT ? text + space : space + text;
}

static std::size_t width_of(const std::string &counter)
{
    return counter.size() < 10 ? 10 : counter.size();
}

static bool is_terminal()
{
    const char *type = std::getenv("TERM");

    return isatty(STDOUT_FILENO) && type && std::strcmp(type, "dumb") != 0;
}

Look look_of(char *const *flags, int n_flags)
{
    const char *color = assay_gbench_flag(flags, n_flags, "color");
    const bool  is_on = assay_gbench_flag_is_on(flags, n_flags, "color");
    Look        look;

    look.is_coloured      = !color || std::strcmp(color, "auto") == 0 ? is_terminal() : is_on;
    look.is_tabular       = assay_gbench_flag_is_on(flags, n_flags, "counters_tabular");
    look.shows_aggregates = assay_gbench_flag_is_on(flags, n_flags, "display_aggregates_only");
    look.shows_repetitions =
        !look.shows_aggregates && assay_gbench_flag(flags, n_flags, "display_aggregates_only");
    look.unit = assay_gbench_flag(flags, n_flags, "time_unit");
    return look;
}

void Look::widen(const char *name)
{
    const std::size_t width = std::strlen(name) + (is_short() ? 0 : std::strlen("_median"));

    name_width = width > name_width ? width : name_width;
}

std::string Table::coloured(const char *code, const std::string &text) const
{
    return look_.is_coloured ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
}

void Table::print_head(std::ostream &out, const Line &line) const
{
    std::string head = padded("Benchmark", look_.name_width, LEFT);

    head += "  " + padded(look_.is_short() ? "Median" : "Time", 11, RIGHT);
    head += padded(look_.is_short() ? "CV" : "", 10, RIGHT) + padded("Blocks", 8, RIGHT);
    for (const auto &c : line.counters)
        if (look_.is_tabular)
            head += "  " + padded(c.first, width_of(c.first), RIGHT);
    out << head << "\n" << std::string(head.size(), '-') << "\n";
}

void Table::print_numbers(std::ostream &out, const Line &line) const
{
    out << "  " << coloured("33", padded(line.time, 11, RIGHT)) << padded(line.variation, 10, RIGHT)
        << padded(line.repetitions, 8, RIGHT);
    for (const auto &c : line.counters)
        out << "  "
            << (look_.is_tabular ? padded(c.second, width_of(c.first), RIGHT)
                                 : c.first + "=" + c.second);
}

/* A table has a new head wherever its counters change; a line without a number has none. */
void Table::print(std::ostream &out, const Line &line)
{
    std::string columns;

    for (const auto &c : line.counters)
        columns += c.first + "\n";
    if (!has_head_ || (look_.is_tabular && line.error.empty() && columns != columns_)) {
        print_head(out, line);
        columns_  = columns;
        has_head_ = true;
    }
    out << coloured("32", padded(line.name, look_.name_width, LEFT));
    if (line.error.empty())
        print_numbers(out, line);
    else
        out << "  " << coloured("31", "no number: " + line.error);
    out << (line.label.empty() ? "" : "  " + line.label) << "\n";
}

} // namespace assay_gbench
