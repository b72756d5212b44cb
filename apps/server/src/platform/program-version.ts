import fs from 'node:fs'
import path from 'node:path'

/** The version of this program, as its package says. */
export function programVersion(): string {
  const manifest = fs.readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
