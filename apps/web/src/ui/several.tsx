import { Checkbox } from './choice.tsx'

interface SeveralProps {
  label: string
  options: readonly { value: string; label: string }[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
  atMost: number
  /** Where there is nothing to choose from. */
  empty: string
}

/** Several of a list, in a box that scrolls. */
export function Several({ label, options, chosen, onChange, atMost, empty }: SeveralProps) {
  return (
    <fieldset className="max-h-48 overflow-y-auto rounded-lg border border-line p-3">
      <legend className="sr-only">{label}</legend>
      {options.length === 0 && <p className="text-ink-2">{empty}</p>}
      {options.map(({ value, label: text }) => (
        <Checkbox
          key={value}
          className="py-1"
          label={<bdi>{text}</bdi>}
          checked={chosen.includes(value)}
          disabled={!chosen.includes(value) && chosen.length >= atMost}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
          }
        />
      ))}
    </fieldset>
  )
}
