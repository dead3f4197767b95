/* Promises of room and of items: they grant what is there and no more, and no count is lost. The
 * case's script at rest never asks for a batch that is only partly there, so a queue that grants
 * one too many passed it. */
#include "../../testing/trial.h"
#include "photon_promise.h"

int main(void)
{
    static const struct {
        int there, asked, granted;
    } table[] = {
        { 0, 1, 0 }, { 1, 1, 1 },   { 32, 32, 32 }, { 31, 32, 31 }, { 1, 32, 1 },
        { 5, 3, 3 }, { -7, 32, 0 }, { -1, 1, 0 }, /* other threads have taken too many */
        { 3, 0, 0 },
    };

    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        const photon_promised p = photon_promise_of(table[i].there, 10, table[i].asked);

        trial_expect(p.granted == table[i].granted, "%d of %d: %d granted", table[i].asked,
                     table[i].there, p.granted);
        trial_expect(p.from == table[i].there - table[i].granted, "%d of %d: %d are left",
                     table[i].asked, table[i].there, p.from);
        trial_expect(p.to == 10 + table[i].granted, "%d of %d: the other side has %d",
                     table[i].asked, table[i].there, p.to);
    }
    return trial_finish("test_photon_promise");
}
