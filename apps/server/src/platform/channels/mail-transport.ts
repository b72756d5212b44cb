import { createTransport } from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly body: string
  /** A calendar file that goes with it, iCalendar. */
  readonly calendar?: string
  /** Who writes, before the installation's address; its own name without one. */
  readonly senderName?: string | null
  /** Where answers go instead of the installation's address. */
  readonly replyTo?: string | null
}

/** Takes an e-mail to its mail server. */
export interface MailTransport {
  /** @throws Error with the server's words when it is not taken. */
  send(mail: Mail): Promise<{ readonly id: string }>
  close(): void
}

/** Longest wait for a mail server; the courier tries again later. */
const timeoutMs = 20_000

/**
 * Mail by SMTP.
 *
 * @param url `smtp://user:password@host:587` or `smtps://…`.
 * @param from Sender, `Aurora & Atlas <office@example.com>`.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport(url, { from })
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
  return {
    async send({ to, subject, body, calendar, senderName, replyTo }) {
      const sending = transport.sendMail({
        to: { address: to, name: '' },
        subject,
        text: body,
        ...(calendar !== undefined && {
          attachments: [{ filename: 'tour.ics', content: calendar, contentType: 'text/calendar; charset=utf-8' }],
        }),
        ...(senderName && { from: { name: senderName, address } }),
        ...(replyTo && { replyTo }),
      })
      const timeout = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => timeout.reject(new Error(`The mail server took longer than ${timeoutMs / 1000} s.`)),
        timeoutMs,
      )
      try {
        const info = await Promise.race([sending, timeout.promise])
        return { id: info.messageId }
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => transport.close(),
  }
}
