import { m } from '../paraglide/messages.js'
import { useCopyByHand } from './copy-text.ts'
import { Dialog } from './dialog.tsx'
import { Field, TextArea } from './field.tsx'

/** Shows what the browser did not let us copy; once, at the app root. */
export function CopyByHand() {
  const text = useCopyByHand((state) => state.text)
  return (
    <Dialog
      open={text !== null}
      dismissible
      onClose={() => useCopyByHand.setState({ text: null })}
      title={m.ui_copy_by_hand()}
      description={m.ui_copy_failed()}
    >
      <Field label={m.ui_copy_by_hand_text()}>
        <TextArea readOnly rows={4} dir="ltr" value={text ?? ''} onFocus={(event) => event.target.select()} />
      </Field>
    </Dialog>
  )
}
