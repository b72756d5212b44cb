import { AppError } from '@tour-ops/contract/errors'
import { expect, test } from 'vitest'
import { damagedFiles } from '../../../testing/damaged-files.ts'
import { analyseFile } from './file-analysis.ts'
import type { OpenContent } from './file-table.ts'
import { openCsv } from './read-csv.ts'
import { openXlsx } from './read-xlsx.ts'

// Good files, damaged at random. More of them, or others: HOSTILE_FILES=2000 HOSTILE_SEED=7, see docs/testing.md.

const count = Number(process.env['HOSTILE_FILES'] ?? 150)
const seed = Number(process.env['HOSTILE_SEED'] ?? 20_261_128)

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

async function outcomeOf(bytes: Uint8Array): Promise<'read' | 'refused'> {
  const open: OpenContent = async () =>
    (async function* pieces() {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    })()
  try {
    await analyseFile(await (isPacked(bytes) ? openXlsx(open) : openCsv(open)))
    return 'read'
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid-argument' && error.message !== '') return 'refused'
    throw error
  }
}

test(`${count} damaged files from seed ${seed} are read or refused in words, and never anything else`, async () => {
  const outcomes = { read: 0, refused: 0 }
  const failures: string[] = []
  for (const [number, bytes] of damagedFiles(count, seed).entries()) {
    try {
      outcomes[await outcomeOf(bytes)] += 1
    } catch (error) {
      failures.push(`file ${number}: ${String(error)}`)
    }
  }
  expect(failures).toEqual([])
  // files that are all read, or all refused at once, would find nothing
  expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(count / 20)
}, 600_000)
