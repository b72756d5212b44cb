import { m } from '../../paraglide/messages.js'
import { Field, TextArea } from '../../ui/field.tsx'
import type { EditContent } from './tour-content.ts'

export interface TextsEditorProps {
  texts: EditContent['texts']
  onChange: (texts: EditContent['texts']) => void
  readOnly?: boolean
}

/** What guests read in confirmations and on their link. */
export function TextsEditor({ texts, onChange, readOnly }: TextsEditorProps) {
  return (
    <fieldset disabled={readOnly} className="grid min-w-0 gap-3 px-4 py-3.5 lg:px-5">
      <legend className="sr-only">{m.tours_texts()}</legend>
      <Field label={m.tours_text_description()} hint={m.tours_text_description_hint()}>
        <TextArea
          rows={5}
          maxLength={8000}
          value={texts.description}
          onChange={(event) => onChange({ ...texts, description: event.target.value })}
        />
      </Field>
      <Field label={m.tours_text_meeting()} hint={m.tours_text_meeting_hint()}>
        <TextArea
          rows={2}
          maxLength={1000}
          value={texts.meetingNote}
          onChange={(event) => onChange({ ...texts, meetingNote: event.target.value })}
        />
      </Field>
      <Field label={m.tours_text_bring()} hint={m.tours_text_bring_hint()}>
        <TextArea
          rows={2}
          maxLength={2000}
          value={texts.whatToBring}
          onChange={(event) => onChange({ ...texts, whatToBring: event.target.value })}
        />
      </Field>
    </fieldset>
  )
}
