/* The context of a report: lines that the harness or the user adds to what the library says. */
#include "gbench_console.h"
#include "gbench_internal.h"

#include <algorithm>

namespace assay_gbench
{

static std::map<std::string, std::string> &lines()
{
    static std::map<std::string, std::string> known;

    return known;
}

const std::map<std::string, std::string> &context() { return lines(); }

assay_status add_context(const std::string &key, const std::string &value, Adder add)
{
    const auto known = lines().find(key);

    if (known != lines().end() && known->second == value)
        return ASSAY_OK;
    if (known != lines().end() || key.empty() || assay_gbench_is_context(key.c_str(), key.size()))
        return ASSAY_FAIL(ASSAY_E_USAGE, "the context cannot have the line '%s: %s': %s",
                          key.c_str(), value.c_str(),
                          key.empty() ? "it has no key" : "its key is taken");
    lines()[key] = value;
    add(key, value);
    return ASSAY_OK;
}

assay_status add_flag_context(const char *list, Adder add)
{
    const std::string text = list ? clean(list) : "";

    for (std::size_t at = 0; at < text.size();) {
        const std::size_t  end    = std::min(text.find(',', at), text.size());
        const std::size_t  equals = text.find('=', at);
        const std::string  value  = text.substr(equals + 1, end - equals - 1);
        const assay_status st     = add_context(text.substr(at, equals - at), value, add);

        if (st != ASSAY_OK)
            return st;
        at = end + 1;
    }
    return ASSAY_OK;
}

} // namespace assay_gbench
