import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { openDatabaseBeside } from './platform/db/database.ts'
import { inTransaction } from './platform/db/pool.ts'
import { newId } from './platform/ids.ts'
import { securityEmail } from './platform/identity/second-factor/security-emails.ts'
import { requireDataFolder } from './platform/place.ts'
import { commandLog, runCommand } from './platform/run-command.ts'
import { StartRefused } from './platform/start-refused.ts'

// npm run reset-second-factor -- EMAIL: for the last administrator who lost the phone, and for people of several organizations.

const usage = `npm run reset-second-factor -- EMAIL, with the same settings as the server:
  takes authenticator app, recovery codes and passkeys away from the account, and ends its sessions`

interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

await runCommand(async () => {
  const [email, ...rest] = parseArgs({ allowPositionals: true }).positionals
  if (!email || rest.length > 0) throw new StartRefused(usage)
  requireDataFolder(process.env)
  const config = readConfig(process.env)
  if (config.identity.kind !== 'embedded') {
    throw new StartRefused('Accounts are kept by the identity service. Reset second factors in its console.')
  }
  const db = await openDatabaseBeside({ ...config, log: commandLog(config) })
  try {
    await inTransaction(db.ownerPool, async (client) => {
      const { rows } = await client.query<Person>('select id, name, email from identity."user" where email = $1', [
        email.trim().toLowerCase(),
      ])
      const person = rows[0]
      if (!person) throw new StartRefused(`There is no account ${email}.`)
      const { rows: outcome } = await client.query<{ isDone: boolean }>(
        'select identity.remove_factors($1) as "isDone"',
        [person.id],
      )
      if (!outcome[0]?.isDone) throw new StartRefused(`${person.email} has no second factor. Nothing was changed.`)
      const link = `${config.publicUrl}/reset-password`
      const notice = securityEmail('second_factor_reset', config.locale, person, { at: new Date(), ip: null }, link)
      if (notice) {
        await client.query(
          'insert into identity.mails (id, kind, recipient, subject, body) values ($1, $2, $3, $4, $5)',
          [newId(), notice.kind, notice.recipient, notice.subject, notice.body],
        )
      }
    })
    console.log(
      `The second factor of ${email} is reset and every session has ended. The password alone opens the account now: ` +
        'sign in soon and set up a new one.',
    )
  } finally {
    await db.close()
  }
})
