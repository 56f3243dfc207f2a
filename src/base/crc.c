/* Checks by tables of 256 entries, made on first use. */
#include "base/crc.h"

#include <pthread.h>

static const struct {
    unsigned width;
    uint32_t polynomial;
} kinds[CRC_KINDS] = {[CRC_8] = {8, 0x2f}, [CRC_24] = {24, 0x5d6dcb}, [CRC_32] = {32, 0x1edc6f41}};

/* Left-aligned, so that all widths work alike. Table k: the byte is followed by k more. */
static uint32_t table[CRC_KINDS][8][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
    for (unsigned kind = 0; kind < CRC_KINDS; kind++) {
        uint32_t polynomial = kinds[kind].polynomial << (32 - kinds[kind].width);
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t rest = byte << 24;
            for (unsigned bit = 0; bit < 8; bit++)
                rest = rest << 1 ^ (rest & 0x80000000u ? polynomial : 0);
            table[kind][0][byte] = rest;
        }
        for (uint32_t byte = 0; byte < 256; byte++)
            for (unsigned k = 1; k < 8; k++) {
                uint32_t rest = table[kind][k - 1][byte];
                table[kind][k][byte] = rest << 8 ^ table[kind][0][rest >> 24];
            }
    }
}

uint32_t crc_update(enum crc_kind kind, uint32_t crc, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    const uint32_t(*t)[256] = table[kind];
    unsigned shift = 32 - kinds[kind].width;
    pthread_once(&made, make_tables);
    crc <<= shift;
    for (; size >= 8; at += 8, size -= 8)
        crc = t[7][crc >> 24 ^ at[0]] ^ t[6][(crc >> 16 & 255) ^ at[1]] ^
              t[5][(crc >> 8 & 255) ^ at[2]] ^ t[4][(crc & 255) ^ at[3]] ^ t[3][at[4]] ^
              t[2][at[5]] ^ t[1][at[6]] ^ t[0][at[7]];
    for (; size; at++, size--)
        crc = crc << 8 ^ t[0][crc >> 24 ^ *at];
    return crc >> shift;
}
