/** What the first bytes of a PMTiles file say. Source: PMTiles specification, version 3. */
export interface PmtilesHeader {
  readonly tiles: 'mvt' | 'image' | 'other'
  /** Whether browsers can unpack both its directories and its tiles: not packed, or with gzip. */
  readonly isUnpackable: boolean
  readonly isMetadataPacked: boolean
  readonly metadata: { readonly offset: number; readonly length: number }
}

/** The specification has the header and the first directory in these, so that one request reads both. */
export const firstBytes = 16_384

const headerBytes = 127
const unpacked = 1
const gzip = 2
const mvt = 1
/** PNG, JPEG, WebP, AVIF. */
const images = [2, 3, 4, 5]

/** The header, or null where this is no PMTiles file of version 3. */
export function readPmtilesHeader(bytes: Buffer): PmtilesHeader | null {
  if (bytes.length < headerBytes || bytes.toString('latin1', 0, 7) !== 'PMTiles' || bytes[7] !== 3) return null
  const [directories, tiles, kind = 0] = [bytes[97], bytes[98], bytes[99]]
  // tiles of images are packed by themselves, and may say that nothing is known
  const areTilesUnpackable = tiles === unpacked || tiles === gzip || (tiles === 0 && images.includes(kind))
  return {
    tiles: kind === mvt ? 'mvt' : images.includes(kind) ? 'image' : 'other',
    isUnpackable: (directories === unpacked || directories === gzip) && areTilesUnpackable,
    isMetadataPacked: directories === gzip,
    metadata: { offset: Number(bytes.readBigUInt64LE(24)), length: Number(bytes.readBigUInt64LE(32)) },
  }
}
