import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { openDatabaseBeside } from './platform/db/database.ts'
import { type KeyCommands, listKeys, resealKeys, retireKey, rotateKeys } from './platform/key-commands.ts'
import { createLog } from './platform/log.ts'
import { requireDataFolder } from './platform/place.ts'
import { runCommand } from './platform/run-command.ts'
import { StartRefused } from './platform/start-refused.ts'

// npm run keys -- list | rotate | reseal | retire KEY: the keys that encrypt data at rest.

const usage = `npm run keys -- COMMAND, with the same settings as the server:
  list               every key, and how much it encrypts
  rotate             a new key; everything is encrypted with it
  reseal             encrypts everything with the newest key, where a rotation was interrupted
  retire KEY         removes a key that encrypts nothing any more
  retire KEY --lost  lets the server start although the key is lost, and with it what it encrypted`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { lost: { type: 'boolean', default: false } },
})
const [command, keyId] = positionals

function actionOf(): ((commands: KeyCommands) => Promise<void>) | undefined {
  if (command === 'retire')
    return keyId ? (commands) => retireKey(commands, keyId, { lost: values['lost'] === true }) : undefined
  return new Map([
    ['list', listKeys],
    ['rotate', rotateKeys],
    ['reseal', resealKeys],
  ]).get(command ?? '')
}

await runCommand(async () => {
  const action = actionOf()
  if (!action) throw new StartRefused(usage)
  requireDataFolder(process.env)
  const config = readConfig(process.env)
  const log = createLog('warn')
  const db = await openDatabaseBeside({ ...config, log })
  try {
    const { rows } = await db.ownerPool.query<{ isReady: boolean }>(
      `select to_regclass('data_keys') is not null as "isReady"`,
    )
    if (!rows[0]?.isReady)
      throw new StartRefused('This database is empty, or older than this program. Start the server once.')
    await action({ config, db, print: (line) => console.log(line) })
  } finally {
    await db.close()
  }
})
