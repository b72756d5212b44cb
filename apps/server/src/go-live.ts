import readline from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { findDemo, removeDemo, removeFilesOfDemo, type DemoContents } from '../seed/remove-demo.ts'
import { readConfig } from './config.ts'
import { migrateDatabase, openDatabase } from './platform/db/database.ts'
import { commandLog, runCommand } from './platform/run-command.ts'
import { StartRefused } from './platform/start-refused.ts'

// npm run go-live: turns the demo's database into that of a real installation.

const namesOf = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join(', ')

function refuseStranding({ withoutAdmin }: DemoContents, removeOthers: boolean): void {
  if (withoutAdmin.length === 0 || removeOthers) return
  throw new StartRefused(
    `Only demo accounts administer ${namesOf(withoutAdmin)}, and nobody could enter afterwards. Nothing was changed.\n` +
      '- To keep them, start the demo once more, invite an account of your own as administrator there, and repeat this.\n' +
      '- To remove them as well, repeat this with "-- --remove-others".',
  )
}

function planOf({ people, organizations, kept, withoutAdmin }: DemoContents, removeOthers: boolean): string {
  const removed = removeOthers ? [...organizations, ...withoutAdmin] : organizations
  const staying = removeOthers ? kept.filter((one) => !withoutAdmin.includes(one)) : kept
  return [
    'This removes for good:',
    `- the accounts ${people.map(({ email }) => email).join(', ') || '(none)'}`,
    `- the organizations ${namesOf(removed) || '(none)'}, with everything in them`,
    '- all sessions, tokens and one-time links; everybody signs in again',
    `It keeps: ${namesOf(staying) || 'nothing, there is no other organization'}.`,
  ].join('\n')
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new StartRefused('Repeat this with "-- --yes" to agree, since nobody can be asked here. Nothing was changed.')
  }
  const terminal = readline.createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Type "yes" to go on: ')
  terminal.close()
  return answer.trim().toLowerCase() === 'yes'
}

const done =
  'Done. Start the server with DEMO=off: where no account is left it prints a link for the first one, valid for a day and once.'

await runCommand(async () => {
  const { values } = parseArgs({ options: { yes: { type: 'boolean' }, 'remove-others': { type: 'boolean' } } })
  const config = readConfig({ ...process.env, DEMO: 'off' })
  const log = commandLog(config)
  const db = await openDatabase({ ...config, log })
  try {
    await migrateDatabase(db, log)
    const demo = await findDemo(db.ownerPool)
    if (demo) {
      const removeOthers = values['remove-others'] ?? false
      refuseStranding(demo, removeOthers)
      console.log(planOf(demo, removeOthers))
      if (!(values.yes || (await isAgreed()))) throw new StartRefused('Nothing was changed.')
      await removeDemo(db.ownerPool, { removeOthers })
    }
    await removeFilesOfDemo(db.ownerPool, config)
    console.log(demo ? done : 'There is no demo in this database. Nothing was changed.')
  } finally {
    await db.close()
  }
})
