import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LocalTime } from '@tour-ops/contract/fields'
import { getSession } from '@tour-ops/contract/identity/session'
import { tourKinds } from '@tour-ops/contract/tours/tour-terms'
import { createTour, TourCode, TourFields } from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAuthStore } from '../../identity/auth-store.ts'
import { m } from '../../paraglide/messages.js'
import { NumberFor, SelectFor, TextFor, TimeFor } from '../../ui/form/field-for.tsx'
import { FormFooter, FormSection, FormShell, LeaveDialog } from '../../ui/form/form.tsx'
import { type AppForm, type FormDraft, useAppForm } from '../../ui/form/use-app-form.ts'
import { viewerZone } from '../../ui/format.ts'
import { PageHead } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { keepDraft, readDraft } from './constructor-draft.ts'
import { freshItinerary, ItineraryEditor, type ItineraryHistory } from './itinerary/itinerary-editor.tsx'
import { closeItinerary, durationMinOf, openItinerary } from './itinerary/itinerary.ts'
import { usePlaces } from './itinerary/use-places.ts'
import { ZoneField } from './zone-field.tsx'
import { kindLabels, optionsOf } from './tour-labels.ts'

/** What a tour cannot be saved without; all the rest follows in the wizard. */
const NewTour = z.object({
  name: TourFields.shape.name,
  code: TourCode,
  kind: z.enum(tourKinds),
  timeZone: TourFields.shape.timeZone,
  startTime: LocalTime,
  defaultCapacity: TourFields.shape.defaultCapacity,
  minPax: TourFields.shape.minPax,
})
type Values = z.input<typeof NewTour>
type Output = z.output<typeof NewTour>

/** A new tour from nothing: what it is called, and where it goes. See docs/screens.md, "Tours". */
export function TourConstructorPage() {
  const { data, isPending } = useQuery({ ...callQuery(getSession, {}), staleTime: Infinity })
  const orgId = useAuthStore((state) => state.organization?.id) ?? ''
  if (isPending) return <SkeletonRows rows={12} />
  return <Constructor key={orgId} orgId={orgId} timeZone={data?.settings?.timeZone ?? viewerZone()} />
}

function Constructor({ orgId, timeZone }: { orgId: string; timeZone: string }) {
  const navigate = useNavigate()
  const [draft] = useState(() => readDraft<Values>(orgId))
  const [isFormDirty, setFormDirty] = useState(false)
  const places = usePlaces(draft?.places ?? [])
  const [history, setHistory] = useState<ItineraryHistory>(() =>
    freshItinerary(openItinerary(draft?.content ?? { days: [], stops: [] }, 1)),
  )
  const itinerary = history.present
  const [isSaved, setSaved] = useState(false)
  const isDirty = !isSaved && (isFormDirty || itinerary.stops.length > 0)
  const leaving = useUnsavedChanges(isDirty)
  const create = useCall(createTour)
  const keep = (values: Values, stops = itinerary) => {
    const content = closeItinerary(stops)
    const known = content.stops.flatMap(({ placeId }) => {
      const point = places.pointOf(placeId)
      return point ? [{ id: placeId, name: places.nameOf(placeId), kind: 'other', lat: point.lat, lng: point.lng }] : []
    })
    keepDraft<Values>(orgId, { values, savedAt: new Date().toISOString(), content, places: known })
  }
  const form = useAppForm({
    schema: NewTour,
    defaultValues: { name: '', code: '', kind: 'day', timeZone, startTime: '09:00', defaultCapacity: 16, minPax: 0 },
    draft,
    onDraft: (next: FormDraft<Values> | null) => (next ? keep(next.values) : keepDraft(orgId, null)),
    onDirtyChange: setFormDirty,
  })
  const [startTime, kind, zone] = useWatch({ control: form.control, name: ['startTime', 'kind', 'timeZone'] })
  const change = (next: ItineraryHistory) => {
    setHistory(next)
    keep(form.getValues(), next.present)
  }
  const save = (values: Output) => {
    const { startTime, ...fields } = values
    return create.mutateAsync({
      ...fields,
      durationMin: durationMinOf(itinerary),
      durationDays: itinerary.days.length,
      content: closeItinerary(itinerary),
      options: [{ name: m.tours_standard_option(), startTimesLocal: [startTime] }],
    })
  }
  const discard = () => {
    keepDraft(orgId, null)
    setHistory(freshItinerary(openItinerary({ days: [], stops: [] }, 1)))
  }
  return (
    <>
      <FormShell
        form={form}
        className="flex min-h-[calc(100dvh-var(--top))] flex-col"
        draft={draft}
        onDraft={(next) => next === null && discard()}
        onSubmit={async (values) => {
          const saved = await save(values)
          keepDraft(orgId, null)
          setSaved(true)
          return saved
        }}
        onSaved={({ id }) => {
          toast(m.tours_created({ name: form.getValues('name') }))
          void navigate({ to: '/tours/wizard/$id', params: { id } })
        }}
      >
        {({ isPending }) => (
          <>
            <div className="order-first">
              <PageHead title={m.app_title_tour_constructor()} context={m.tours_constructor_context()} />
            </div>
            <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 pb-6 lg:px-6">
              <Basics form={form} />
              <ItineraryEditor
                history={history}
                onChange={change}
                places={places}
                startTime={startTime || '09:00'}
                isWalking={kind === 'walking'}
                timeZone={zone || timeZone}
              />
            </div>
            <FormFooter
              isDirty={isDirty}
              isPending={isPending}
              submitLabel={m.tours_save_draft_next()}
              disabledReason={undefined}
              onCancel={() => void navigate({ to: '/tours/all' })}
              footerNote={m.tours_constructor_note()}
            />
          </>
        )}
      </FormShell>
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

function Basics({ form }: { form: AppForm<Values, Output> }) {
  return (
    <div className="card">
      <FormSection title={m.tours_section_basics()} columns={3}>
        <TextFor form={form} name="name" label={m.tours_name()} required />
        <TextFor form={form} name="code" label={m.tours_code()} hint={m.tours_code_hint()} required />
        <SelectFor form={form} name="kind" label={m.tours_kind()} options={optionsOf(kindLabels)} />
        <ZoneField form={form} />
        <TimeFor form={form} name="startTime" label={m.tours_starts_at()} />
        <div className="grid grid-cols-2 gap-3">
          <NumberFor form={form} name="defaultCapacity" label={m.tours_capacity()} min={1} max={1000} required />
          <NumberFor form={form} name="minPax" label={m.tours_min_pax()} min={0} max={1000} />
        </div>
      </FormSection>
    </div>
  )
}
