import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const formatKey = 'plugin.inlang.messageFormat'

/**
 * Brings the list of message files in the settings of the messages' compiler up to date with the folders. It cannot find them by itself.
 *
 * @param room The folder of the web application.
 */
export function writeMessageIndex(room: string): void {
  const file = path.join(room, 'project.inlang/settings.json')
  const before = readFileSync(file, 'utf8')
  const areas = readdirSync(path.join(room, 'messages')).toSorted()
  const pathPattern = areas.map((area) => `./messages/${area}/{locale}.json`)
  const settings = JSON.parse(before) as Record<string, unknown>
  const after = `${JSON.stringify({ ...settings, [formatKey]: { pathPattern } }, null, 2)}\n`
  if (after !== before) writeFileSync(file, after)
}
