import { tagTravelers } from '@tour-ops/contract/travelers/travelers'
import { Tag } from 'lucide-react'
import { useState } from 'react'
import { refusalText } from '../../errors/refusal-text.ts'
import { useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { MessageTravelers } from './message-travelers.tsx'

interface ChosenTravelersProps {
  ids: readonly string[]
  /** What was to be done with them is done. */
  onDone: () => void
}

/** Writes to travelers that are chosen in the list, and tags them, as far as the person at the screen may. */
export function ChosenTravelers({ ids, onDone }: ChosenTravelersProps) {
  const { can } = useAccess()
  return (
    <>
      {can('notifications:send') && <MessageTravelers ids={ids} />}
      {can('travelers:manage') && <TagAction ids={ids} onDone={onDone} />}
    </>
  )
}

function TagAction({ ids, onDone }: ChosenTravelersProps) {
  const [isOpen, setOpen] = useState(false)
  const [word, setWord] = useState('')
  const tag = useCall(tagTravelers, {
    onSuccess: ({ changed }) => {
      toast(m.travelers_tagged({ count: changed }))
      setOpen(false)
      onDone()
    },
  })
  return (
    <>
      <Button icon={Tag} onClick={() => setOpen(true)}>
        {m.travelers_tag_selected()}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={m.travelers_tag_title({ count: ids.length })}
        actions={
          <Button
            variant="primary"
            pending={tag.isPending}
            disabled={word.trim() === ''}
            onClick={() => tag.mutate({ ids: [...ids], add: [word.trim()] })}
          >
            {m.travelers_tag_add()}
          </Button>
        }
      >
        <Field label={m.travelers_tag_label()} error={tag.error ? refusalText(tag.error) : undefined}>
          <TextInput value={word} maxLength={40} onChange={(event) => setWord(event.target.value)} />
        </Field>
      </Dialog>
    </>
  )
}
