/*
 * Hues a golden angle apart: any few neighbours in the list are spread over the circle. Lightness
 * and chroma are those of Oklab (Ottosson 2020), in which equal steps look equal, so that no hue
 * shouts.
 */
#define _GNU_SOURCE
#include "report/picture/colour.h"

#include <math.h>

#define GOLDEN_ANGLE 2.399963229728653 /* radians */

static unsigned char encode(double linear)
{
    double share = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    return (unsigned char)lround(255 * fmin(fmax(share, 0), 1));
}

static struct colour from_oklab(double light, double a, double b)
{
    double l = pow(light + 0.3963377774 * a + 0.2158037573 * b, 3);
    double m = pow(light - 0.1055613458 * a - 0.0638541728 * b, 3);
    double s = pow(light - 0.0894841775 * a - 1.2914855480 * b, 3);
    return (struct colour){encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                           encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                           encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

static struct colour shade(uint32_t job, double darker)
{
    static const double light[] = {0.70, 0.80, 0.62}, chroma[] = {0.105, 0.085, 0.095};
    double hue = fmod(job * GOLDEN_ANGLE, 2 * M_PI), c = chroma[job % 3];
    return from_oklab(light[job % 3] - darker, c * cos(hue), c * sin(hue));
}

struct colour colour_of_job(uint32_t job)
{
    return shade(job, 0);
}

struct colour colour_of_lost(uint32_t job)
{
    return shade(job, 0.3);
}
