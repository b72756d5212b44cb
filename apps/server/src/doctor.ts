import { ConfigError, readConfig, type Config } from './config.ts'
import { openDatabaseBeside } from './platform/db/database.ts'
import {
  backupFindings,
  clockFindings,
  emailFindings,
  queueFindings,
  roleFindings,
  schemaFindings,
} from './platform/doctor/database-findings.ts'
import { examine, reportOf, type Finding } from './platform/doctor/finding.ts'
import { certificateFindings, diskFindings, mailFindings } from './platform/doctor/machine-findings.ts'
import { requireDataFolder } from './platform/place.ts'
import { programVersion } from './platform/program-version.ts'
import { commandLog, runCommand } from './platform/run-command.ts'

// npm run doctor: checks everything an installation depends on, and says what to do. The exit code is 1 with a problem.

async function databaseFindings(config: Config): Promise<readonly Finding[]> {
  const access = await openDatabaseBeside({ ...config, log: commandLog(config) })
  const { ownerPool } = access
  try {
    const schema = await examine('Database', 'See deploy/README.md.', () => schemaFindings(ownerPool, config.demo))
    const roles = config.databaseUrl ? await examine('Roles', 'Check DATABASE_URL.', () => roleFindings(access)) : []
    const clock = await clockFindings(ownerPool)
    if (!(await isReady(ownerPool))) return [...schema, ...roles, ...clock]
    return [
      ...schema,
      ...roles,
      ...clock,
      ...(await queueFindings(ownerPool)),
      ...(await emailFindings(ownerPool)),
      ...(await backupFindings(ownerPool, new Date())),
    ]
  } finally {
    await access.close()
  }
}

/** Whether the tables exist that the other checks read. */
async function isReady(ownerPool: { query(text: string): Promise<{ rowCount: number | null }> }): Promise<boolean> {
  const { rowCount } = await ownerPool.query(`select where to_regclass('installation.facts') is not null`)
  return rowCount !== 0
}

await runCommand(async () => {
  requireDataFolder(process.env)
  let findings: readonly Finding[]
  try {
    const config = readConfig(process.env)
    findings = [
      {
        subject: 'Configuration',
        state: 'good',
        words: `version ${programVersion()}, Node ${process.version}, ${config.publicUrl}`,
      },
      ...(await examine('Database', 'Is it running, and are DATABASE_URL or DATA_DIR those of the server?', () =>
        databaseFindings(config),
      )),
      ...(await examine('Disk', 'Check DATA_DIR.', () => diskFindings(config))),
      ...(await examine('Mail', 'Check SMTP_URL and MAIL_FROM with your mail provider.', () => mailFindings(config))),
      ...(await examine('Certificate', 'Is the proxy at PUBLIC_URL running?', () =>
        certificateFindings(config, new Date()),
      )),
    ]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    findings = error.problems.map((words) => ({ subject: 'Configuration', state: 'problem', words }))
  }
  console.log(reportOf(findings))
  if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1
})
