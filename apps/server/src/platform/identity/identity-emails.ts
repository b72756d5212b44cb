import type { Locale } from '@tour-ops/contract/locales'
import { nameInEmail, subjectLine } from '../channels/email-text.ts'

export type IdentityEmailKind =
  | 'verify_email'
  | 'reset_password'
  | 'account_exists'
  | 'sign_in_attempts'
  | 'waitlist_approved'
  | 'invitation'

export interface IdentityEmail {
  readonly kind: IdentityEmailKind
  readonly to: string
  readonly subject: string
  readonly body: string
}

interface Texts {
  readonly verify_email: (facts: { name: string; link: string }) => Text
  readonly reset_password: (facts: { name: string; link: string }) => Text
  readonly account_exists: (facts: { name: string; link: string }) => Text
  readonly sign_in_attempts: (facts: { link: string }) => Text
  readonly waitlist_approved: (facts: { link: string; signInLink: string }) => Text
  readonly invitation: (facts: { organization: string; inviter: string; link: string; message: string | null }) => Text
}
type Text = readonly [subject: string, ...paragraphs: string[]]

const withMessage = (message: string | null): string[] => (message ? [message] : [])

/** E-mails of the identity service in the languages of the product. Plain text: nothing to track, nothing to fake. */
const texts: Record<Locale, Texts> = {
  en: {
    verify_email: ({ name, link }) => [
      'Confirm your e-mail address',
      `Hello ${name},`,
      `Please confirm that this is your address:\n${link}`,
      'The link is valid for one hour. If you did not sign up, ignore this e-mail.',
    ],
    reset_password: ({ name, link }) => [
      'Choose a new password',
      `Hello ${name},`,
      `Choose a new password here:\n${link}`,
      'The link is valid for one hour and works once. If you did not request it, ignore this e-mail; your password does not change.',
    ],
    account_exists: ({ name, link }) => [
      'You already have an account',
      `Hello ${name},`,
      `Someone, perhaps you, tried to sign up with this address. You already have an account; sign in here:\n${link}`,
    ],
    sign_in_attempts: ({ link }) => [
      'Many wrong passwords for your account',
      'Hello,',
      'Today someone tried many wrong passwords for your account. It is not locked: browsers in which you have signed in work as before, elsewhere there is a short wait.',
      `If this was not you and your password is easy to guess or used elsewhere, choose a new one:\n${link}`,
    ],
    waitlist_approved: ({ link, signInLink }) => [
      'You can sign up now',
      'Hello,',
      `Your place on the waitlist has come up. Create your account here:\n${link}`,
      `If you already have an account, sign in here:\n${signInLink}`,
    ],
    invitation: ({ organization, inviter, link, message }) => [
      `${inviter} invited you to join ${organization}`,
      'Hello,',
      `${inviter} invited you to work with ${organization}.`,
      ...withMessage(message),
      `Accept the invitation here:\n${link}`,
    ],
  },
  de: {
    verify_email: ({ name, link }) => [
      'E-Mail-Adresse bestätigen',
      `Guten Tag ${name},`,
      `bitte bestätigen Sie, dass dies Ihre Adresse ist:\n${link}`,
      'Der Link gilt eine Stunde lang. Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail.',
    ],
    reset_password: ({ name, link }) => [
      'Neues Passwort wählen',
      `Guten Tag ${name},`,
      `hier können Sie ein neues Passwort wählen:\n${link}`,
      'Der Link gilt eine Stunde lang und nur einmal. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail; Ihr Passwort bleibt unverändert.',
    ],
    account_exists: ({ name, link }) => [
      'Sie haben bereits ein Konto',
      `Guten Tag ${name},`,
      `jemand, vielleicht Sie selbst, wollte sich mit dieser Adresse registrieren. Sie haben bereits ein Konto; hier melden Sie sich an:\n${link}`,
    ],
    sign_in_attempts: ({ link }) => [
      'Viele falsche Passwörter für Ihr Konto',
      'Guten Tag,',
      'heute wurden für Ihr Konto viele falsche Passwörter eingegeben. Es ist nicht gesperrt: Browser, in denen Sie schon angemeldet waren, funktionieren wie bisher, anderswo gibt es eine kurze Wartezeit.',
      `Falls Sie das nicht waren und Ihr Passwort leicht zu erraten ist oder auch anderswo verwendet wird, wählen Sie bitte ein neues:\n${link}`,
    ],
    waitlist_approved: ({ link, signInLink }) => [
      'Sie können sich jetzt registrieren',
      'Guten Tag,',
      `Sie sind auf der Warteliste an der Reihe. Hier legen Sie Ihr Konto an:\n${link}`,
      `Falls Sie bereits ein Konto haben, melden Sie sich hier an:\n${signInLink}`,
    ],
    invitation: ({ organization, inviter, link, message }) => [
      `${inviter} lädt Sie zu ${organization} ein`,
      'Guten Tag,',
      `${inviter} lädt Sie zur Zusammenarbeit mit ${organization} ein.`,
      ...withMessage(message),
      `Hier nehmen Sie die Einladung an:\n${link}`,
    ],
  },
  es: {
    verify_email: ({ name, link }) => [
      'Confirme su dirección de correo',
      `Hola, ${name}:`,
      `confirme que esta es su dirección:\n${link}`,
      'El enlace es válido durante una hora. Si no se ha registrado, ignore este correo.',
    ],
    reset_password: ({ name, link }) => [
      'Elija una contraseña nueva',
      `Hola, ${name}:`,
      `elija aquí una contraseña nueva:\n${link}`,
      'El enlace es válido durante una hora y una sola vez. Si no lo ha solicitado, ignore este correo; su contraseña no cambia.',
    ],
    account_exists: ({ name, link }) => [
      'Ya tiene una cuenta',
      `Hola, ${name}:`,
      `alguien, quizá usted, ha intentado registrarse con esta dirección. Ya tiene una cuenta; inicie sesión aquí:\n${link}`,
    ],
    sign_in_attempts: ({ link }) => [
      'Muchas contraseñas incorrectas para su cuenta',
      'Hola:',
      'hoy alguien ha probado muchas contraseñas incorrectas para su cuenta. No está bloqueada: los navegadores en los que ya ha iniciado sesión funcionan como siempre; en otros hay una breve espera.',
      `Si no ha sido usted y su contraseña es fácil de adivinar o la usa en otro sitio, elija una nueva:\n${link}`,
    ],
    waitlist_approved: ({ link, signInLink }) => [
      'Ya puede registrarse',
      'Hola:',
      `ha llegado su turno en la lista de espera. Cree aquí su cuenta:\n${link}`,
      `Si ya tiene una cuenta, inicie sesión aquí:\n${signInLink}`,
    ],
    invitation: ({ organization, inviter, link, message }) => [
      `${inviter} le invita a unirse a ${organization}`,
      'Hola:',
      `${inviter} le invita a trabajar con ${organization}.`,
      ...withMessage(message),
      `Acepte la invitación aquí:\n${link}`,
    ],
  },
}

/** Facts that somebody typed as their own or their organization's name. */
const names = ['name', 'organization', 'inviter'] as const

/** An e-mail of the identity service in the given language. */
export function identityEmail<K extends IdentityEmailKind>(
  kind: K,
  locale: Locale,
  to: string,
  facts: Parameters<Texts[K]>[0],
): IdentityEmail {
  const write = texts[locale][kind] as (given: Parameters<Texts[K]>[0]) => Text
  const safe: Record<string, unknown> = { ...facts }
  for (const fact of names) if (typeof safe[fact] === 'string') safe[fact] = nameInEmail(safe[fact])
  const [subject, ...paragraphs] = write(safe as Parameters<Texts[K]>[0])
  return { kind, to: to.toLowerCase(), subject: subjectLine(subject), body: paragraphs.join('\n\n') }
}
