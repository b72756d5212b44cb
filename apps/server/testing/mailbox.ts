import { once } from 'node:events'
import net from 'node:net'

// For tests: a mail server that takes everything and keeps who it was for.

export interface Mailbox {
  /** For `SMTP_URL`. */
  readonly url: string
  /** Recipients in the order of arrival; one line for each e-mail. */
  readonly recipients: readonly string[]
  close(): Promise<void>
}

export async function openMailbox(): Promise<Mailbox> {
  const recipients: string[] = []
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // a process killed in the middle of an e-mail leaves a broken line, and these tests kill processes
    socket.on('error', () => socket.destroy())
    speak(socket, (recipient) => recipients.push(recipient))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    recipients,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** As much of RFC 5321 as a sender needs. */
function speak(socket: net.Socket, onEmail: (recipient: string) => void): void {
  let heard = ''
  let recipient = ''
  let isContent = false
  const say = (line: string): boolean => socket.write(`${line}\r\n`)
  const answer = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'RCPT') recipient = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (verb === 'DATA') isContent = true
    if (verb === 'DATA') say('354 go on')
    else if (verb === 'QUIT') socket.end('221 bye\r\n')
    else say('250 ok')
  }
  const take = (line: string): void => {
    if (!isContent) return answer(line)
    if (line !== '.') return
    isContent = false
    onEmail(recipient)
    say('250 taken')
  }
  say('220 mailbox')
  socket.on('data', (chunk: Buffer) => {
    const lines = (heard + chunk.toString()).split('\r\n')
    heard = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}
