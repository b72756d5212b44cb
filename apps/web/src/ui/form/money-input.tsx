import { useState } from 'react'
import { TextInput, type TextInputProps } from '../field.tsx'
import { fractionDigitsOf } from '../format.ts'
import { type MinorEntry, minorOf } from './minor-of.ts'

export interface MoneyInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'unit' | 'type'> {
  currency: string
  value: MinorEntry
  onChange: (entry: MinorEntry) => void
}

/** An amount of a currency: typed as people write it, kept in minor units. What is no amount stays as it was typed. */
export function MoneyInput({ currency, value, onChange, onBlur, ...rest }: MoneyInputProps) {
  const digits = fractionDigitsOf(currency)
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typeof value === 'number' ? (value / 10 ** digits).toFixed(digits) : (value ?? '')
  return (
    <TextInput
      {...rest}
      className="num"
      inputMode="decimal"
      unit={currency}
      value={typed ?? shown}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(minorOf(event.target.value, digits))
      }}
      onBlur={(event) => {
        setTyped(null)
        onBlur?.(event)
      }}
    />
  )
}
