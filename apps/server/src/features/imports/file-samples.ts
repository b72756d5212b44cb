import { type FileSamples, noSamples } from './file-analysis.ts'
import type { ImportSeal } from './import-seal.ts'

/** Values of a file as they are stored with its import. */
export const sealSamples = (seal: ImportSeal, samples: FileSamples): Buffer =>
  Buffer.from(seal.seal(JSON.stringify(samples)), 'hex')

/** @param sealed Null once an import can no longer be undone, or where the file was read by an older version. */
export const openSamples = (seal: ImportSeal, sealed: Buffer | null): FileSamples =>
  sealed === null ? noSamples : (JSON.parse(seal.open(sealed.toString('hex'))) as FileSamples)
