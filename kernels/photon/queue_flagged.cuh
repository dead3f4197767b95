/* The ring of queue.cuh with the sequence number in every word: a word of 8 bytes is a turn and 4
 * bytes of payload, written and read at once. An item of n words has n turns.
 *
 * A slot with one number for its whole payload costs an operation three trips to memory, one after
 * another: look at the number, move the payload, announce. Here a look already brings the payload,
 * and the announcement is the payload: a slot is passed on in two trips. The shorter that takes,
 * the fewer slots are needed. The price is twice the bytes.
 *
 * The words are relaxed: they order nothing but themselves. To pass on more than the words (an
 * index of data written elsewhere), a fence is needed before the push and another after the pop. */
#ifndef PHOTON_QUEUE_FLAGGED_CUH
#define PHOTON_QUEUE_FLAGGED_CUH

#include "queue.cuh"

typedef unsigned long long photon_word; /* turn << 32 | payload */

/* In rings of at most this many slots, threads whose turn comes within two laps look again without
 * a pause, since they are few; in larger rings they could be all threads. The others pause half as
 * long for each lap as in larger rings. */
const unsigned PHOTON_FEW_SLOTS = 4096;

struct photon_flagged_ring {
    unsigned    *tail, *head;
    photon_word *words; /* [n_words][capacity] */
    unsigned     capacity, log2_capacity, n_words;
    unsigned     nap_ns; /* pause for each lap of the ring that the wait is long */
};

inline size_t photon_flagged_bytes(int64_t capacity, int64_t n_words)
{
    return sizeof(unsigned) * 2 * PHOTON_LINE_WORDS +
           sizeof(photon_word) * static_cast<size_t>(capacity * n_words);
}

/* nap_ns, 2 or more: the pause for a lap of a ring of more than PHOTON_FEW_SLOTS. */
inline photon_flagged_ring photon_flagged_ring_in(void *memory, int64_t capacity, int64_t n_words,
                                                  int64_t nap_ns)
{
    unsigned           *at = static_cast<unsigned *>(memory);
    photon_flagged_ring ring;

    ring.tail          = at;
    ring.head          = at + PHOTON_LINE_WORDS;
    ring.words         = reinterpret_cast<photon_word *>(at + 2 * PHOTON_LINE_WORDS);
    ring.capacity      = static_cast<unsigned>(capacity);
    ring.log2_capacity = 0;
    while (int64_t { 1 } << ring.log2_capacity < capacity)
        ring.log2_capacity++;
    ring.n_words = static_cast<unsigned>(n_words);
    ring.nap_ns  = static_cast<unsigned>(capacity <= PHOTON_FEW_SLOTS ? nap_ns / 2 : nap_ns);
    return ring;
}

static __device__ inline photon_word photon_word_of(unsigned turn, unsigned payload)
{
    return static_cast<photon_word>(turn) << 32 | payload;
}
static __device__ inline unsigned photon_turn_of(photon_word word)
{
    return static_cast<unsigned>(word >> 32);
}

static __device__ inline photon_word *photon_flagged_place(const photon_flagged_ring &ring,
                                                           unsigned ticket, unsigned w)
{
    return ring.words + (static_cast<size_t>(w) << ring.log2_capacity) +
           (ticket & (ring.capacity - 1));
}

static __device__ inline void photon_flagged_reset(const photon_flagged_ring &ring, unsigned start,
                                                   unsigned i, unsigned n)
{
    if (i == 0)
        *ring.tail = *ring.head = start;
    for (unsigned slot = i; slot < ring.capacity; slot += n)
        for (unsigned w = 0; w < ring.n_words; w++)
            *photon_flagged_place(ring, slot, w) =
                photon_word_of(start + ((slot - start) & (ring.capacity - 1)), 0);
}

/* Looks again at a word that was seen with another turn, until its turn comes. The turn seen says
 * how many laps of the ring come first, and the thread pauses for about as long: otherwise threads
 * that wait for later laps would keep memory busy for those whose turn is next. Returns the word,
 * or one with another turn if the thread gave up. */
static __device__ inline photon_word photon_flagged_wait(const photon_flagged_ring &ring,
                                                         const photon_word *place, unsigned turn,
                                                         photon_word seen, photon_wait *wait)
{
    const unsigned near = ring.capacity <= PHOTON_FEW_SLOTS ? 1 : 0, most = 100000;

    for (unsigned n = 0; photon_turn_of(seen) != turn; n++) {
        const unsigned laps = (turn - photon_turn_of(seen)) >> ring.log2_capacity;

        if (photon_is_late(wait))
            break;
        if (laps > near)
            __nanosleep(laps - near < most / ring.nap_ns ? (laps - near) * ring.nap_ns : most);
        else if (n > 4 && laps == 0)
            __nanosleep(20);
        seen = assay_load_relaxed(place);
    }
    return seen;
}

#endif
