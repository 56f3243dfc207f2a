/* The torus family: Blue Gene/L, Blue Gene/P and their kin. What its files share. */
#ifndef WEFT_MACHINE_TORUS_MODEL_H
#define WEFT_MACHINE_TORUS_MODEL_H

#include "fabric/torus/network.h"
#include "machine/family.h"
#include "node/dma/dma.h"
#include "node/fifo/fifo.h"
#include "node/mapped/mapped.h"
#include "topology/places/places.h"

struct torus_model;

/* Which classes of packets there are. */
struct torus_classes {
    bool dynamic, fixed, high;
};

/* A network interface on a torus: what depends on it. */
struct torus_nic {
    /* ---- of a configuration ---- */
    weft_status (*finish)(const struct config *c);
    struct packet_sizes (*sizes)(const struct config *c);
    /* Processors of a node; and the processes that its mode runs there, 0: it has none. */
    uint32_t (*processors)(const struct config *c, uint32_t *tasks);
    unsigned offers; /* enum site_offer, besides those of every torus */
    struct torus_classes (*classes)(const struct config *c);

    /* ---- of a model ---- */
    /* Fills in what the site knows of nodes and packets. */
    void (*site)(const struct torus_model *m, struct site *site);
    /* Makes the nic; *client: that of the network. */
    weft_status (*build)(struct torus_model *m, struct torus_client *client);
    /* Its own figures. NULL: none. */
    void (*gather)(const struct torus_model *m, struct run_result *r);
};

extern const struct torus_nic torus_fifo_nic, torus_dma_nic;

/* The torus of a run, and what is dead in it: as keys say or, if its parts are partitions, wired
 * apart (topology/torus/wiring.h). */
struct torus_wired {
    struct torus torus;
    struct torus_faults faults;
    struct wiring *wiring; /* NULL: it is one torus */
};

struct torus_model {
    struct model base;
    const struct torus_nic *nic;
    const struct torus_config *machine; /* of it, torus and faults are in `wired` */
    struct torus_wired wired;
    struct torus_derived derived;
    struct torus_network *network;

    struct tree *tree;      /* the nic's; NULL: nobody uses it */
    struct torus_face face; /* of an engine */
};

static inline struct torus_config *config_torus(const struct config *c)
{
    return config_section(c, &torus_section);
}

static inline const struct torus_nic *config_torus_nic(const struct config *c)
{
    return family_of(c)->own;
}

/* Midplanes, as what jobs are given (torus.c). */
weft_status torus_ground(const struct config *c, struct ground *ground);

/* Whether the parts of a run are partitions. */
bool torus_is_apart(const struct config *c);

/* WEFT_BAD_INPUT: partitions cannot be where they are (wiring.c). */
weft_status torus_wire(const struct config *c, struct torus_wired *wired);
void torus_unwire(struct torus_wired *wired);

/* Fills in what workloads see (site.c). */
void torus_fill_site(struct torus_model *m);

/* How long a packet of this many bytes, header included, occupies a link. */
double torus_slot_cycles(const struct torus_params *p, double bytes);

#endif
