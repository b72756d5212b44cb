import type { AddressInfo } from 'node:net'
import { type SMTPServerOptions, SMTPServer } from 'smtp-server'

/** A mail server of a test. */
export interface MailSink {
  readonly port: number
  /** E-mails that were taken so far. */
  taken(): number
  /** As they came over the wire. */
  readonly mails: readonly string[]
  close(): Promise<void>
}

/** A real SMTP server that takes everything, unless its options say otherwise. What it takes is kept as text up to the first hundred. */
export async function mailSink(options: SMTPServerOptions = {}): Promise<MailSink> {
  let count = 0
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    // its own certificate is good enough for a test
    logger: false,
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        if (mails.length < 100) text += chunk.toString()
      })
      stream.on('end', () => {
        count += 1
        if (mails.length < 100) mails.push(text)
        done()
      })
    },
    ...options,
  })
  // who breaks a connection off is the other side's business
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    taken: () => count,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
