import { m } from '../../../paraglide/messages.js'
import { TextInput } from '../../../ui/field.tsx'

/** Six digits of an authenticator app; phones offer the digits, password managers fill them in. */
export const CodeInput = ({ name }: { name: string }) => (
  <TextInput
    name={name}
    className="num max-w-[180px] text-lg tracking-[0.3em]"
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={9}
    // eslint-disable-next-line jsx-a11y/no-autofocus -- the step replaces the one before, which had the focus
    autoFocus
  />
)

/** What is wrong with a typed code, before the server is asked. Spaces are fine: apps show `123 456`. */
export const codeProblem = (code: string): string | undefined =>
  /^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? undefined : m.security_code_form()
