import type { Locale } from '@tour-ops/contract/page-config'
import { nameInEmail, subjectLine } from '../channels/email-text.ts'

export type LetterKind =
  | 'verify_email'
  | 'reset_password'
  | 'account_exists'
  | 'sign_in_attempts'
  | 'waitlist_approved'
  | 'invitation'

export interface Letter {
  readonly kind: LetterKind
  readonly to: string
  readonly subject: string
  readonly body: string
}

interface Words {
  readonly verify_email: (facts: { name: string; link: string }) => Text
  readonly reset_password: (facts: { name: string; link: string }) => Text
  readonly account_exists: (facts: { name: string; link: string }) => Text
  readonly sign_in_attempts: (facts: { link: string }) => Text
  readonly waitlist_approved: (facts: { link: string; signInLink: string }) => Text
  readonly invitation: (facts: { organization: string; inviter: string; link: string; message: string | null }) => Text
}
type Text = readonly [subject: string, ...paragraphs: string[]]

const withMessage = (message: string | null): string[] => (message ? [message] : [])

/** Letters of the identity service in the languages of the product. Plain text: nothing to track, nothing to fake. */
const words: Record<Locale, Words> = {
  en: {
    verify_email: ({ name, link }) => [
      'Confirm your e-mail address',
      `Hello ${name},`,
      `please confirm that this is your address:\n${link}`,
      'The link is valid for one hour. If you did not sign up, ignore this letter.',
    ],
    reset_password: ({ name, link }) => [
      'Choose a new password',
      `Hello ${name},`,
      `choose a new password here:\n${link}`,
      'The link is valid for one hour and works once. If you did not ask for it, ignore this letter; your password stays.',
    ],
    account_exists: ({ name, link }) => [
      'You have an account already',
      `Hello ${name},`,
      `somebody, perhaps you, tried to sign up with this address. You have an account already; sign in here:\n${link}`,
    ],
    sign_in_attempts: ({ link }) => [
      'Many wrong passwords for your account',
      'Hello,',
      'today someone tried many wrong passwords for your account. It is not locked: browsers in which you have signed in work as before, elsewhere there is a short wait.',
      `If that was not you and your password could be guessed, or is used elsewhere, choose a new one:\n${link}`,
    ],
    waitlist_approved: ({ link, signInLink }) => [
      'You can sign up now',
      'Hello,',
      `your place on the waitlist came up. Create your account here:\n${link}`,
      `If you already have an account, sign in here:\n${signInLink}`,
    ],
    invitation: ({ organization, inviter, link, message }) => [
      `${inviter} invites you to ${organization}`,
      'Hello,',
      `${inviter} invites you to work with ${organization}.`,
      ...withMessage(message),
      `Accept here:\n${link}`,
    ],
  },
  de: {
    verify_email: ({ name, link }) => [
      'E-Mail-Adresse bestätigen',
      `Guten Tag ${name},`,
      `bitte bestätigen Sie, dass dies Ihre Adresse ist:\n${link}`,
      'Der Link gilt eine Stunde. Falls Sie sich nicht registriert haben, beachten Sie diese Nachricht nicht.',
    ],
    reset_password: ({ name, link }) => [
      'Neues Passwort wählen',
      `Guten Tag ${name},`,
      `hier wählen Sie ein neues Passwort:\n${link}`,
      'Der Link gilt eine Stunde und nur einmal. Falls Sie ihn nicht angefordert haben, bleibt Ihr Passwort, wie es ist.',
    ],
    account_exists: ({ name, link }) => [
      'Sie haben bereits ein Konto',
      `Guten Tag ${name},`,
      `jemand, vielleicht Sie selbst, wollte sich mit dieser Adresse registrieren. Sie haben bereits ein Konto:\n${link}`,
    ],
    sign_in_attempts: ({ link }) => [
      'Viele falsche Passwörter für Ihr Konto',
      'Guten Tag,',
      'heute wurden für Ihr Konto viele falsche Passwörter eingegeben. Es ist nicht gesperrt: Browser, in denen Sie schon angemeldet waren, funktionieren wie bisher, anderswo gibt es eine kurze Wartezeit.',
      `Falls Sie das nicht waren und Ihr Passwort zu erraten ist oder auch anderswo gilt, wählen Sie ein neues:\n${link}`,
    ],
    waitlist_approved: ({ link, signInLink }) => [
      'Sie können sich jetzt registrieren',
      'Guten Tag,',
      `Ihr Platz auf der Warteliste ist frei. Hier legen Sie Ihr Konto an:\n${link}`,
      `Falls Sie bereits ein Konto haben, melden Sie sich hier an:\n${signInLink}`,
    ],
    invitation: ({ organization, inviter, link, message }) => [
      `${inviter} lädt Sie zu ${organization} ein`,
      'Guten Tag,',
      `${inviter} lädt Sie ein, mit ${organization} zu arbeiten.`,
      ...withMessage(message),
      `Hier nehmen Sie an:\n${link}`,
    ],
  },
  es: {
    verify_email: ({ name, link }) => [
      'Confirme su dirección de correo',
      `Hola, ${name}:`,
      `confirme que esta es su dirección:\n${link}`,
      'El enlace vale una hora. Si no se ha registrado, no haga caso de este mensaje.',
    ],
    reset_password: ({ name, link }) => [
      'Elija una contraseña nueva',
      `Hola, ${name}:`,
      `elija aquí una contraseña nueva:\n${link}`,
      'El enlace vale una hora y una sola vez. Si no lo ha pedido, su contraseña no cambia.',
    ],
    account_exists: ({ name, link }) => [
      'Ya tiene una cuenta',
      `Hola, ${name}:`,
      `alguien, quizá usted, quiso registrarse con esta dirección. Ya tiene una cuenta; entre aquí:\n${link}`,
    ],
    sign_in_attempts: ({ link }) => [
      'Muchas contraseñas incorrectas para su cuenta',
      'Hola:',
      'hoy alguien ha probado muchas contraseñas incorrectas para su cuenta. No está bloqueada: los navegadores en los que ya ha entrado funcionan como siempre; en otros hay una breve espera.',
      `Si no ha sido usted y su contraseña se puede adivinar, o la usa en otro sitio, elija una nueva:\n${link}`,
    ],
    waitlist_approved: ({ link, signInLink }) => [
      'Ya puede registrarse',
      'Hola:',
      `ha llegado su turno en la lista de espera. Cree aquí su cuenta:\n${link}`,
      `Si ya tiene una cuenta, entre aquí:\n${signInLink}`,
    ],
    invitation: ({ organization, inviter, link, message }) => [
      `${inviter} le invita a ${organization}`,
      'Hola:',
      `${inviter} le invita a trabajar con ${organization}.`,
      ...withMessage(message),
      `Acepte aquí:\n${link}`,
    ],
  },
}

/** Facts that somebody typed as their own or their organization's name. */
const names = ['name', 'organization', 'inviter'] as const

/** An e-mail of the identity service in the given language. */
export function letterFor<K extends LetterKind>(
  kind: K,
  locale: Locale,
  to: string,
  facts: Parameters<Words[K]>[0],
): Letter {
  const write = words[locale][kind] as (given: Parameters<Words[K]>[0]) => Text
  const safe: Record<string, unknown> = { ...facts }
  for (const fact of names) if (typeof safe[fact] === 'string') safe[fact] = nameInEmail(safe[fact])
  const [subject, ...paragraphs] = write(safe as Parameters<Words[K]>[0])
  return { kind, to: to.toLowerCase(), subject: subjectLine(subject), body: paragraphs.join('\n\n') }
}
