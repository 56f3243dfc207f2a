/* What every nic begins and ends with. */
#include "node/nic.h"

#include <stdlib.h>

#include "base/memory.h"

void nic_init(struct nic *n, const struct nic_kind *kind, const struct nic_traits *traits,
              uint32_t partitions)
{
    *n = (struct nic){.kind = kind,
                      .traits = *traits,
                      .partitions = partitions,
                      .part = memory_alloc(partitions, sizeof(struct network_part *))};
}

void nic_fini(struct nic *n)
{
    free(n->part);
}

void nic_prepare(struct nic *n, struct network_part *part)
{
    n->part[part->index] = part;
    n->client.prepare(n->client.ctx, part->index, part->nodes);
}
