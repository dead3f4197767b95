/* The head and table of the console: texts, columns, colours. It does not know the library. */
#ifndef ASSAY_GBENCH_CONSOLE_H
#define ASSAY_GBENCH_CONSOLE_H

#include "gbench.h"

#include <iosfwd>
#include <map>
#include <string>

namespace assay_gbench
{

/* Makes text acceptable to strict JSON readers: broken UTF-8 becomes '?', control characters become
 * spaces. The library's writer changes neither. */
std::string clean(const char *text);

/* Four digits, without an exponent: 0.1235, 3.021T, 12.35 %. */
std::string digits(double value);
std::string with_prefix(double value);
std::string percent(double share);

/* Writes a time in this unit or, with NULL, in the largest unit in which it is at least 1. */
std::string time_text(double seconds, const char *unit);

struct Look {
    bool is_coloured = false, is_tabular = false;
    bool shows_repetitions = false, shows_aggregates = false; /* neither: one line per benchmark */
    std::size_t name_width = 0;
    const char *unit       = nullptr;

    bool is_short() const { return !shows_repetitions && !shows_aggregates; }
    void widen(const char *name);
};

/* Reads from the flags how it looks, on this terminal. */
Look look_of(char *const *flags, int n_flags);

/* A single repetition, an aggregate, or the median with its variation. */
struct Line {
    std::string                        name, time, variation, repetitions, label, error;
    std::map<std::string, std::string> counters;
};

class Table
{
  public:
    explicit Table(const Look &look) : look_(look) {}
    void print(std::ostream &out, const Line &line);

  private:
    void        print_head(std::ostream &out, const Line &line) const;
    void        print_numbers(std::ostream &out, const Line &line) const;
    std::string coloured(const char *code, const std::string &text) const;

    Look        look_;
    bool        has_head_ = false;
    std::string columns_;
};

/* Lines of the head, here and in the JSON. A new one is passed to `add` once. E_USAGE if the key is
 * taken. */
using Adder = void (*)(const std::string &key, const std::string &value);
const std::map<std::string, std::string> &context();
assay_status add_context(const std::string &key, const std::string &value, Adder add);
assay_status add_flag_context(const char *list, Adder add); /* key=value,... checked; or NULL */

} // namespace assay_gbench
#endif
