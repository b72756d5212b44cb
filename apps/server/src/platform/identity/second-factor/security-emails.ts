import type { Locale } from '@tour-ops/contract/locales'

/** What changed about how an account is opened. */
export type SecurityChange =
  | 'authenticator_added'
  | 'authenticator_removed'
  | 'recovery_codes_renewed'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factor_reset'

interface Texts {
  readonly changes: Readonly<Record<SecurityChange, string>>
  readonly greeting: (name: string) => string
  readonly when: (facts: SecurityFacts) => string
  readonly advice: (link: string) => string
}

export interface SecurityFacts {
  readonly at: Date
  /** Address of the client, where a request was made by one. */
  readonly ip: string | null
}

export interface SecurityRecipient {
  readonly name: string
  readonly email: string
}

interface SecurityEmail {
  readonly kind: 'account_security'
  readonly recipient: string
  readonly subject: string
  readonly body: string
}

const texts: Record<Locale, Texts> = {
  en: {
    changes: {
      authenticator_added: 'An authenticator app was added to your account',
      authenticator_removed: 'The authenticator app was removed from your account',
      recovery_codes_renewed: 'New recovery codes were created for your account',
      recovery_code_used: 'A recovery code was used to sign in to your account',
      passkey_added: 'A passkey was added to your account',
      passkey_removed: 'A passkey was removed from your account',
      second_factor_reset: 'The second factor of your account was reset',
    },
    greeting: (name) => `Hello ${name},`,
    when: ({ at, ip }) => `Time: ${timeOf(at)} (UTC)${ip ? `\nAddress: ${ip}` : ''}`,
    advice: (link) =>
      `If this was you, there is nothing to do. If not, choose a new password immediately and tell an administrator of your organization:\n${link}`,
  },
  de: {
    changes: {
      authenticator_added: 'Ihrem Konto wurde eine Authenticator-App hinzugefügt',
      authenticator_removed: 'Die Authenticator-App wurde von Ihrem Konto entfernt',
      recovery_codes_renewed: 'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt',
      recovery_code_used: 'Ein Wiederherstellungscode wurde zur Anmeldung an Ihrem Konto verwendet',
      passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt',
      passkey_removed: 'Ein Passkey wurde von Ihrem Konto entfernt',
      second_factor_reset: 'Der zweite Faktor Ihres Kontos wurde zurückgesetzt',
    },
    greeting: (name) => `Guten Tag ${name},`,
    when: ({ at, ip }) => `Zeitpunkt: ${timeOf(at)} (UTC)${ip ? `\nAdresse: ${ip}` : ''}`,
    advice: (link) =>
      `Wenn Sie das waren, ist nichts zu tun. Wenn nicht, wählen Sie bitte sofort ein neues Passwort und informieren Sie einen Admin Ihrer Organisation:\n${link}`,
  },
  es: {
    changes: {
      authenticator_added: 'Se ha añadido una aplicación de autenticación a su cuenta',
      authenticator_removed: 'Se ha quitado la aplicación de autenticación de su cuenta',
      recovery_codes_renewed: 'Se han creado códigos de recuperación nuevos para su cuenta',
      recovery_code_used: 'Se ha usado un código de recuperación para iniciar sesión en su cuenta',
      passkey_added: 'Se ha añadido una llave de acceso a su cuenta',
      passkey_removed: 'Se ha quitado una llave de acceso de su cuenta',
      second_factor_reset: 'Se ha restablecido el segundo factor de su cuenta',
    },
    greeting: (name) => `Hola, ${name}:`,
    when: ({ at, ip }) => `Hora: ${timeOf(at)} (UTC)${ip ? `\nDirección: ${ip}` : ''}`,
    advice: (link) =>
      `Si ha sido usted, no tiene que hacer nada. Si no, elija de inmediato una contraseña nueva y avise a un administrador de su organización:\n${link}`,
  },
}

const timeOf = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

/** People who came with a wallet have an address that leads nowhere. Source: RFC 6761, ".invalid". */
const isReachable = (email: string): boolean => !email.endsWith('.invalid')

/** Longest name that is repeated in an e-mail, in characters. */
const longestName = 80

/**
 * The e-mail that notifies the owner of an account of a change of its factors; null for people without an address.
 *
 * @param resetLink Where a new password is asked for.
 */
export function securityEmail(
  change: SecurityChange,
  locale: Locale,
  { name, email }: SecurityRecipient,
  facts: SecurityFacts,
  resetLink: string,
): SecurityEmail | null {
  if (!isReachable(email)) return null
  const { changes, greeting, when, advice } = texts[locale]
  const shortName = name.replaceAll(/\s+/g, ' ').trim().slice(0, longestName)
  return {
    kind: 'account_security',
    recipient: email.toLowerCase(),
    subject: changes[change],
    body: [greeting(shortName), `${changes[change]}.`, when(facts), advice(resetLink)].join('\n\n'),
  }
}
