import { createTransport } from 'nodemailer'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly body: string
  /** A calendar file that goes with it, iCalendar. */
  readonly calendar?: string
  /** Where its reader says that they want fewer of them. Source: RFC 2369. */
  readonly optOutUrl?: string
  /** Whether a mail program says so for its reader by posting there. Source: RFC 8058. */
  readonly isOneClick?: boolean
  /** Who writes, before the installation's address; its own name without one. */
  readonly senderName?: string | null
  /** Where answers go instead of the installation's address. */
  readonly replyTo?: string | null
}

/** Takes an e-mail to its mail server. */
export interface MailTransport {
  /** @throws MailError, or another error for an e-mail that may be tried again. */
  send(mail: Mail): Promise<{ readonly id: string }>
  close(): void
}

/** What a mail server means by not taking an e-mail. */
export class MailError extends Error {
  /** `down`: none of them can leave now. `refused`: this one never will. `later`: this one may be tried again. */
  readonly kind: 'down' | 'refused' | 'later'

  constructor(kind: MailError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** E-mails on their way at once, each by a connection of its own that is kept. */
export const mailsAtOnce = 5
/** Longest wait for a word of a mail server; the courier tries again later. */
const timeoutMs = 20_000

/**
 * Mail by SMTP.
 *
 * @param url `smtp://user:password@host:587` or `smtps://…`.
 * @param from Sender, `Aurora & Atlas <office@example.com>`.
 */
export function smtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: mailsAtOnce,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
    },
    { from },
  )
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
  return {
    async send({ to, subject, body, calendar, optOutUrl, isOneClick, senderName, replyTo }) {
      const mail = {
        to: { address: to, name: '' },
        subject,
        text: body,
        ...(optOutUrl !== undefined && { list: { unsubscribe: { url: optOutUrl } } }),
        ...(isOneClick && { headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } }),
        ...(calendar !== undefined && {
          attachments: [{ filename: 'tour.ics', content: calendar, contentType: 'text/calendar; charset=utf-8' }],
        }),
        ...(senderName && { from: { name: senderName, address } }),
        ...(replyTo && { replyTo }),
      }
      try {
        const { messageId } = await transport.sendMail(mail)
        return { id: messageId }
      } catch (error) {
        throw mailErrorOf(error)
      }
    },
    close: () => transport.close(),
  }
}

/**
 * What the server said, by RFC 5321: about the recipient and the text 4xx is for now and 5xx for good; everything before them is about
 * the server, as is 421.
 */
function mailErrorOf(error: unknown): MailError {
  const said = error as { message?: string; code?: string; responseCode?: number; command?: string }
  const { message = '', code, responseCode = 0, command } = said
  const isAboutMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM' && responseCode !== 421
  if (!isAboutMail) return new MailError('down', message, error)
  return new MailError(responseCode >= 400 && responseCode < 500 ? 'later' : 'refused', message, error)
}
