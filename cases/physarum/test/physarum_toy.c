/* Eigenvalues of the toy model, and the slope of a logarithm. */
#include "physarum_toy.h"

#include <math.h>

static bool is_share(double v) { return v >= 0 && v <= 1; }

bool physarum_toy_solve(const physarum_toy *toy, physarum_toy_spectrum *spectrum)
{
    const double middle     = 1 - (toy->beta + toy->kappa) / 2;
    const double difference = (toy->beta - toy->kappa) / 2;
    double       root;

    if (!(toy->alpha >= 0 && toy->gamma >= 0 && is_share(toy->beta) && is_share(toy->kappa)))
        return false;
    root               = sqrt(difference * difference + toy->alpha * toy->gamma);
    spectrum->larger   = middle + root;
    spectrum->smaller  = middle - root;
    spectrum->exponent = log(fmax(fabs(spectrum->larger), fabs(spectrum->smaller)));
    return true;
}

bool physarum_toy_grows(const physarum_toy *toy)
{
    return toy->alpha * toy->gamma > toy->beta * toy->kappa;
}

void physarum_toy_advance(const physarum_toy *toy, double v[2], int64_t steps)
{
    for (int64_t k = 0; k < steps; k++) {
        const double p = (1 - toy->beta) * v[0] + toy->alpha * v[1];

        v[1] = toy->gamma * v[0] + (1 - toy->kappa) * v[1];
        v[0] = p;
    }
}

/* p' = (1 - decay) (p + deposit y), y' = y. */
physarum_toy physarum_toy_of_totals(double decay, double deposit)
{
    return (physarum_toy) { .alpha = (1 - decay) * deposit, .beta = decay, .gamma = 0, .kappa = 0 };
}

bool physarum_growth_rate(const double *distance, int64_t begin, int64_t end, double *rate)
{
    double n = 0, t = 0, v = 0, tt = 0, tv = 0;

    for (int64_t k = begin; k < end; k++) {
        const double place = (double)k;

        if (!(distance[k] > 0))
            continue;
        n += 1;
        t += place;
        v += log(distance[k]);
        tt += place * place;
        tv += place * log(distance[k]);
    }
    if (n < 2)
        return false;
    *rate = (n * tv - t * v) / (n * tt - t * t);
    return true;
}
