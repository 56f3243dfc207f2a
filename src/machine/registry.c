/* The families of machines, one row each; nothing else knows their names. */
#include "machine/family.h"

extern const struct family torus_family, torus_dma_family, crosspoint_family, tofu_family,
    switches_family, ideal_family;

const struct schema_refusal nic_refusals[] = {
    {"fifo", "it is the FIFOs of a torus router, which processors write and read"},
    {"dma", "it makes packets for nodes that are joined by links, on a torus or a graph"},
    {"tni", "its engines choose among the paths of Tofu"},
    {"adapter", "it numbers packets of hosts at switches, and only those have room for that"},
    {"ports", "it sends messages whole, which only an ideal network takes"},
    {NULL, NULL}};

const struct family *const families[] = {
    &torus_family, &torus_dma_family, &crosspoint_family,
    &tofu_family,  &switches_family,  &ideal_family,
    NULL,
};
