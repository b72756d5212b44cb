// Writes tables.ts and schema.sql from a database that was migrated just now:
//   node apps/server/src/platform/db/generate-tables.ts
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { fromPglite, migrateDatabase } from './database.ts'
import { startPglite } from './pglite.ts'
import { describeSchema } from './schema-text.ts'
import { describeTables } from './tables-text.ts'

const folder = import.meta.dirname

/** The files that follow from the schema, by path; formatted, so that formatting the repository changes nothing. */
export async function describeDatabase(ownerPool: Pool): Promise<Map<string, string>> {
  const tables = path.join(folder, 'tables.ts')
  const { singleQuote, semi, printWidth } = await readFormat()
  const formatted = await format(tables, await describeTables(ownerPool), { singleQuote, semi, printWidth })
  return new Map([
    [tables, formatted.code],
    [path.resolve(folder, '../../../schema.sql'), await describeSchema(ownerPool)],
  ])
}

async function readFormat(): Promise<{ singleQuote: boolean; semi: boolean; printWidth: number }> {
  const file = path.resolve(folder, '../../../../../.oxfmtrc.json')
  return JSON.parse(await fs.readFile(file, 'utf8')) as { singleQuote: boolean; semi: boolean; printWidth: number }
}

async function main(): Promise<void> {
  const log = pino({ level: 'warn' })
  const server = await startPglite({}, log)
  const database = fromPglite(server, log, () => server.stop())
  try {
    await migrateDatabase(database, log)
    for (const [file, text] of await describeDatabase(database.ownerPool)) await fs.writeFile(file, text)
  } finally {
    await database.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
