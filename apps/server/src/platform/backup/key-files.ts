import { hkdfSync } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { isFirstStart } from '../place.ts'
import { StartRefused } from '../start-refused.ts'

/** Files of the data folder without which a database cannot be read or its sessions and links end. */
const keyFiles = ['secret', 'data-keys']

/** What the data folder keeps of secrets and keys, by the name of the file. */
export function readKeyFiles(dataDir: string): Record<string, string> {
  const there = keyFiles.filter((name) => fs.existsSync(path.join(dataDir, name)))
  return Object.fromEntries(there.map((name) => [name, fs.readFileSync(path.join(dataDir, name), 'utf8')]))
}

/** Identifies a secret without revealing it. */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'fingerprint of a backup', 16)).toString('hex')

/** @throws StartRefused where the folder has others than the backup. */
export function refuseOtherKeys(dataDir: string, keys: Readonly<Record<string, string>>): void {
  // those of a first start were made a moment ago, and nothing depends on them
  if (isFirstStart(dataDir)) return
  const present = readKeyFiles(dataDir)
  for (const [name, value] of Object.entries(keys)) {
    if (present[name] === undefined || present[name] === value) continue
    throw new StartRefused(
      `${path.join(dataDir, name)} belongs to another installation than the backup. Restore into an empty DATA_DIR.`,
    )
  }
}

export function writeKeyFiles(dataDir: string, keys: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(keys)) {
    if (!keyFiles.includes(name)) throw new Error(`The backup holds a key file of an unknown name: ${name}.`)
    fs.writeFileSync(path.join(dataDir, name), value, { mode: 0o600, flush: true })
  }
}
