/* A configuration as bytes, for another process of the same program (study/station.h). */
#ifndef WEFT_CONFIG_PACK_H
#define WEFT_CONFIG_PACK_H

#include "config/config.h"

/* The machine, and every key that was given, with its place. The caller frees the bytes. */
char *config_pack(const struct config *c, size_t *size);

/* Reads them back into a configuration that config_init() has made. */
weft_status config_unpack(struct config *c, const char *bytes, size_t size);

#endif
