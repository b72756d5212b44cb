import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { Dialog } from './dialog.tsx'
import { Field, TextInput } from './field.tsx'

export interface SecretAddressDialogProps {
  title: string
  /** What the address is for, and that it is shown this once. */
  text: string
  /** Of the field that holds it. */
  label: string
  copyLabel: string
  /** Shown when it was copied. */
  copied: string
  address: string
  onClose: () => void
  /** More actions, before the one that copies. */
  children?: ReactNode
  /** Below the address. */
  below?: ReactNode
}

/** A URL that anyone who knows it may use, shown when it is created: the server only stores its hash. */
export function SecretAddressDialog(props: SecretAddressDialogProps) {
  const { title, text, label, copyLabel, copied, address, onClose, children, below } = props
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={text}
      actions={
        <>
          {children}
          <Button variant="primary" onClick={() => void copyText(address, copied)}>
            {copyLabel}
          </Button>
        </>
      }
    >
      <Field label={label}>
        <TextInput readOnly value={address} dir="ltr" onFocus={(event) => event.target.select()} />
      </Field>
      {below}
    </Dialog>
  )
}
