import { m } from '../../paraglide/messages.js'
import { Field, TextInput } from '../../ui/field.tsx'

/** Whether the server will take it. */
export const isPasscode = (typed: string): boolean => typed.trim().length >= 4 && typed.trim().length <= 12

interface PasscodeFieldProps {
  label: string
  value: string
  onChange: (typed: string) => void
}

/** In plain sight: it is told to somebody. */
export const PasscodeField = ({ label, value, onChange }: PasscodeFieldProps) => (
  <Field label={label} hint={m.links_passcode_hint()}>
    <TextInput
      value={value}
      maxLength={12}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  </Field>
)
