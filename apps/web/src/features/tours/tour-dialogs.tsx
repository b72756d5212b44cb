import { useNavigate } from '@tanstack/react-router'
import { archiveTour, duplicateTour, TourCode } from '@tour-ops/contract/tours/tours'
import { text } from '@tour-ops/contract/fields'
import * as z from 'zod/mini'
import { refusalText } from '../../errors/refusal-text.ts'
import { useCall } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { TextFor } from '../../ui/form/field-for.tsx'
import { FormShell } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { toast } from '../../ui/toast.tsx'
import { type TourRef } from './tour-reads.ts'

export interface TourDialogProps {
  tour: TourRef
  onClose: () => void
}

const CopyFields = z.object({ code: TourCode, name: text(120, 'tour_unnamed') })

/** Copies a tour with everything in it into a new draft and opens that. */
export function DuplicateDialog({ tour, onClose }: TourDialogProps) {
  const navigate = useNavigate()
  const duplicate = useCall(duplicateTour)
  const form = useAppForm({
    schema: CopyFields,
    defaultValues: { code: `${tour.code.slice(0, 9)}2`, name: m.tours_copy_name({ name: tour.name }) },
  })
  return (
    <Dialog open onClose={onClose} title={m.tours_duplicate_title({ name: tour.name })}>
      <FormShell
        form={form}
        onSubmit={(values) => duplicate.mutateAsync({ id: tour.id, ...values })}
        onSaved={({ id }) => {
          toast(m.tours_duplicated())
          void navigate({ to: '/tours/edit/$id', params: { id } })
        }}
      >
        {({ isPending }) => (
          <div className="grid gap-3">
            <TextFor form={form} name="name" label={m.tours_name()} required />
            <TextFor form={form} name="code" label={m.tours_code()} hint={m.tours_code_hint()} required />
            <div className="flex justify-end gap-2">
              <Button onClick={onClose}>{m.tours_cancel()}</Button>
              <Button variant="primary" type="submit" pending={isPending}>
                {m.tours_duplicate()}
              </Button>
            </div>
          </div>
        )}
      </FormShell>
    </Dialog>
  )
}

/** Takes a tour out of sale; the server refuses while guests are booked, and says how many. */
export function ArchiveDialog({ tour, onClose }: TourDialogProps) {
  const archive = useCall(archiveTour, {
    onSuccess: () => {
      toast(m.tours_archived({ name: tour.name }))
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={m.tours_archive_title({ name: tour.name })}
      confirmLabel={m.tours_archive()}
      pending={archive.isPending}
      error={archive.error ? refusalText(archive.error) : undefined}
      onConfirm={() => archive.mutate({ id: tour.id, version: tour.version })}
    >
      {m.tours_archive_text()}
    </ConfirmDialog>
  )
}
