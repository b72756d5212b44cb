import type { Pool } from 'pg'
import type { Database } from '../db/database.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { applicationRole } from '../db/transaction.ts'
import { readFact, refuseOtherKind } from '../installation.ts'
import { deadLetterQueue, jobsSchema } from '../jobs/boss-jobs.ts'
import { unfinishedMark } from '../place.ts'
import { plural } from '../plural.ts'
import type { Finding } from './finding.ts'

/** Server, size and schema. */
export async function schemaFindings(ownerPool: Pool, demo: boolean): Promise<Finding[]> {
  const subject = 'Database'
  const { rows } = await ownerPool.query<{
    version: string
    bytes: number
    unfinished: boolean
    hasMigrations: boolean
  }>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
       to_regclass('${unfinishedMark}') is not null as unfinished, to_regclass('migrations.applied') is not null as "hasMigrations"`,
  )
  const { version = '?', bytes = 0, unfinished, hasMigrations } = rows[0] ?? {}
  if (unfinished) {
    return [
      { subject, state: 'problem', words: 'A restore did not finish.', todo: 'Restore again, into an empty place.' },
    ]
  }
  const words = `PostgreSQL ${version}, ${(bytes / 1e6).toFixed(0)} MB`
  if (!hasMigrations)
    return [{ subject, state: 'warning', words: `${words}, empty`, todo: 'Start the server: it makes the tables.' }]
  const missing = await pendingMigrations(ownerPool)
  if (missing.length > 0) {
    return [
      {
        subject,
        state: 'warning',
        words: `${words}; ${plural(missing.length, '# migration is', '# migrations are')} not applied yet`,
        todo: 'Back up (npm run backup -- FILE), then start the server: it migrates.',
      },
    ]
  }
  await refuseOtherKind(ownerPool, demo)
  return [{ subject, state: 'good', words: `${words}, up to date` }]
}

/** Whether row-level security binds the login of the application, and whether the owner's is another one. */
export async function roleFindings({ pool, ownerPool }: Pick<Database, 'pool' | 'ownerPool'>): Promise<Finding[]> {
  const subject = 'Roles'
  const { rows } = await pool.query<{ name: string; isFree: boolean; isMember: boolean }>(
    `select rolname as name, rolsuper or rolbypassrls as "isFree",
         coalesce((select pg_has_role(oid, 'usage') from pg_roles where rolname = $1), false) as "isMember"
       from pg_roles where rolname = current_user`,
    [applicationRole],
  )
  const owner = await ownerPool.query<{ name: string }>('select current_user as name')
  const { name = '?', isFree = false, isMember = false } = rows[0] ?? {}
  const ownerName = owner.rows[0]?.name ?? '?'
  const todo =
    'Give DATABASE_URL a login of its own without special rights, and the owner as MIGRATION_DATABASE_URL (deploy/postgres-logins.sh).'
  if (isFree) return [{ subject, state: 'warning', words: `${name} stands above row-level security`, todo }]
  if (name === ownerName)
    return [{ subject, state: 'warning', words: `${name} is owner and application at once`, todo }]
  if (!isMember) {
    return [
      {
        subject,
        state: 'warning',
        words: `${name} is no member of ${applicationRole}`,
        todo: 'Start the server: it lets the login in.',
      },
    ]
  }
  return [{ subject, state: 'good', words: `application ${name}, owner ${ownerName}` }]
}

const mostSkewSeconds = 2

/** Sessions, tokens and "late" are reckoned with both clocks. */
export async function clockFindings(ownerPool: Pool): Promise<Finding[]> {
  const before = Date.now()
  const { rows } = await ownerPool.query<{ now: Date }>('select clock_timestamp() as now')
  const middle = (before + Date.now()) / 2
  const skew = Math.abs((rows[0]?.now.getTime() ?? middle) - middle) / 1000
  const words = `this computer and the database differ by ${skew.toFixed(1)} s`
  if (skew <= mostSkewSeconds) return [{ subject: 'Clock', state: 'good', words }]
  return [{ subject: 'Clock', state: 'problem', words, todo: 'Set both by NTP (timedatectl set-ntp true).' }]
}

/** Work that failed for good, and work that nobody takes. */
export async function queueFindings(ownerPool: Pool): Promise<Finding[]> {
  const subject = 'Queue'
  const there = await ownerPool.query(`select where to_regclass('${jobsSchema}.job') is not null`)
  if (there.rowCount === 0) return [{ subject, state: 'good', words: 'not made yet' }]
  const { rows } = await ownerPool.query<{ dead: number; late: number }>(
    `select count(*) filter (where name = $1) as dead,
       count(*) filter (where name <> $1 and start_after < clock_timestamp() - interval '10 minutes') as late
     from ${jobsSchema}.job where state in ('created', 'retry')`,
    [deadLetterQueue],
  )
  const { dead = 0, late = 0 } = rows[0] ?? {}
  const findings: Finding[] = []
  if (late > 0) {
    findings.push({
      subject,
      state: 'warning',
      words: `${plural(late, '# job has', '# jobs have')} waited for more than 10 minutes`,
      todo: 'Is a server running? Its log says "job failed" where it tries.',
    })
  }
  if (dead > 0) {
    findings.push({
      subject,
      state: 'warning',
      words: plural(dead, '# job failed for good', '# jobs failed for good'),
      todo: `Look at ${jobsSchema}.job, queue ${deadLetterQueue}.`,
    })
  }
  return findings.length > 0
    ? findings
    : [{ subject, state: 'good', words: 'nothing waits too long, nothing failed for good' }]
}

const backupHours = 48

export async function backupFindings(ownerPool: Pool, now: Date): Promise<Finding[]> {
  const subject = 'Last backup'
  const todo = 'npm run backup -- FILE, every night, and keep the file on another machine.'
  const fact = await readFact<{ file: string }>(ownerPool, 'last backup')
  if (!fact) return [{ subject, state: 'warning', words: 'there is none', todo }]
  const hours = (now.getTime() - Date.parse(fact.at)) / 3_600_000
  const words = `${fact.at}, ${fact.file}`
  return [
    hours > backupHours
      ? { subject, state: 'warning', words: `${words}: ${plural(Math.floor(hours / 24), '# day', '# days')} old`, todo }
      : { subject, state: 'good', words },
  ]
}

/** E-mails that were given up, or that wait for longer than a mail server needs. */
export async function emailFindings(ownerPool: Pool): Promise<Finding[]> {
  const { rows } = await ownerPool.query<{ failed: number; waiting: number }>(
    `select count(*) filter (where status = 'failed' and "createdAt" > clock_timestamp() - interval '7 days') as failed,
       count(*) filter (where status = 'queued' and "createdAt" < clock_timestamp() - interval '1 hour') as waiting from identity.mails`,
  )
  const { failed = 0, waiting = 0 } = rows[0] ?? {}
  if (failed + waiting === 0) return []
  return [
    {
      subject: 'Mail',
      state: 'warning',
      words: `${failed} e-mails about accounts failed in the last week, ${waiting} wait for more than an hour`,
      todo: 'Read why at /tools/notifications.',
    },
  ]
}
