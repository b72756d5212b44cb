import fs from 'node:fs/promises'
import { isIP } from 'node:net'
import tls from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { isLoopback } from '../loopback.ts'
import { plural } from '../plural.ts'
import type { Finding } from './finding.ts'

const gigabyte = 1e9
const timeoutMs = 10_000

/** @param stat Room of the file system of the data folder. */
export async function diskFindings(
  { dataDir }: Pick<Config, 'dataDir'>,
  stat: (folder: string) => Promise<{ bavail: number; bsize: number; blocks: number }> = (folder) => fs.statfs(folder),
): Promise<Finding[]> {
  const { bavail, bsize, blocks } = await stat(dataDir)
  const free = bavail * bsize
  const words = `${(free / gigabyte).toFixed(1)} GB free for ${dataDir}`
  const todo = 'Make room, or move DATA_DIR to a larger disk. PostgreSQL stops when the disk is full.'
  if (free < gigabyte / 2) return [{ subject: 'Disk', state: 'problem', words, todo }]
  if (free < 2 * gigabyte || bavail < blocks / 20) return [{ subject: 'Disk', state: 'warning', words, todo }]
  return [{ subject: 'Disk', state: 'good', words }]
}

/** Signs in to the mail server and sends nothing. */
export async function mailFindings({ mail }: Pick<Config, 'mail'>): Promise<Finding[]> {
  const subject = 'Mail'
  if (!mail) return [{ subject, state: 'good', words: 'no mail server; e-mails are read at /tools/notifications' }]
  const transport = createTransport(mail.smtpUrl, { from: mail.from })
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the mail server does not answer')), timeoutMs)
  try {
    await Promise.race([transport.verify(), late.promise])
    return [{ subject, state: 'good', words: `the mail server takes e-mails from ${mail.from}` }]
  } finally {
    clearTimeout(timer)
    transport.close()
  }
}

interface Certificate {
  readonly validTo: Date
  /** Why browsers refuse it; null where they do not. */
  readonly refused: string | null
}

/** The certificate that people's browsers see at the public address. */
export async function certificateFindings({ publicUrl }: Pick<Config, 'publicUrl'>, now: Date): Promise<Finding[]> {
  const subject = 'Certificate'
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol === 'https:') return [certificateFinding(await readCertificate(hostname, Number(port || 443)), now)]
  if (isLoopback(hostname)) return [{ subject, state: 'good', words: 'none needed on this computer' }]
  return [
    {
      subject,
      state: 'warning',
      words: `${publicUrl} is not encrypted: passwords travel in the open`,
      todo: 'Put a proxy with TLS in front (deploy/Caddyfile) and set PUBLIC_URL to https://…',
    },
  ]
}

/** How a certificate is at a moment; renewals come 30 days before the end, so two weeks are late. */
export function certificateFinding({ validTo, refused }: Certificate, now: Date): Finding {
  const subject = 'Certificate'
  const days = Math.floor((validTo.getTime() - now.getTime()) / 86_400_000)
  const todo = 'Look at the log of the proxy that renews it.'
  if (refused !== null) return { subject, state: 'problem', words: `browsers refuse it: ${refused}`, todo }
  const words = plural(days, 'expires in # day', 'expires in # days')
  return days < 14 ? { subject, state: 'warning', words, todo } : { subject, state: 'good', words }
}

function readCertificate(host: string, port: number): Promise<Certificate> {
  const { promise, resolve, reject } = Promise.withResolvers<Certificate>()
  const socket = tls.connect(
    { host, port, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: false, timeout: timeoutMs },
    () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      const refusal: unknown = socket.authorizationError
      resolve({ validTo: new Date(validTo), refused: socket.authorized ? null : String(refusal) })
    },
  )
  socket.once('timeout', () => reject(new Error(`${host}:${port} does not answer`)))
  socket.once('error', reject)
  return promise.finally(() => socket.destroy())
}
