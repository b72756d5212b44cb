import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { getTour, TourFields, type Tour } from '@tour-ops/contract/tours/tours'
import { Archive, Copy, Ellipsis, Route, Ticket, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { useUrlState } from '../../addresses/url-state.ts'
import { callQuery } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Button, buttonClass } from '../../ui/button.tsx'
import { FormFooter, FormShell, LeaveDialog } from '../../ui/form/form.tsx'
import { useAppForm } from '../../ui/form/use-app-form.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu, type MenuAction } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DiscardDialog } from './edit/discard-dialog.tsx'
import { editTabs, TabPanel, type EditTab } from './edit/edit-tabs.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { ArchiveDialog, DuplicateDialog } from './tour-dialogs.tsx'
import { useRestore } from './tour-reads.ts'
import { valuesOf } from './tour-values.ts'
import { TourStatus } from './tour-status.tsx'
import { useTourEditing } from './use-tour-editing.ts'

/** One tour with everything about it. See docs/screens.md, "Tours". */
export function TourEditPage() {
  const { id } = useParams({ from: '/_dashboard/tours/edit/$id' })
  const { data } = useScreenQuery(callQuery(getTour, { id }))
  return data ? <EditTour key={data.id} tour={data} /> : <SkeletonRows rows={12} />
}

function EditTour({ tour }: { tour: Tour }) {
  const { can } = useAccess()
  const [{ show = 'overview' }, setUrl] = useUrlState('/_dashboard/tours/edit/$id')
  const [isFormDirty, setFormDirty] = useState(false)
  const editing = useTourEditing(tour, isFormDirty)
  const { base } = editing
  const isDirty = isFormDirty || editing.isContentDirty
  const leaving = useUnsavedChanges(isDirty)
  const form = useAppForm({ schema: TourFields, defaultValues: valuesOf(base), onDirtyChange: setFormDirty })
  // What others changed is shown while nothing here is unsaved.
  useEffect(() => {
    if (!form.formState.isDirty) form.reset(valuesOf(base))
  }, [form, base])
  const mayManage = can('tours:manage') && tour.status !== 'archived'
  return (
    <>
      <FormShell
        form={form}
        className="flex min-h-[calc(100dvh-var(--top))] flex-col"
        onSubmit={async (fields) => {
          await editing.save({ fields: isFormDirty ? fields : undefined })
          toast(m.tours_saved({ name: fields.name }))
        }}
      >
        {({ isPending }) => (
          <>
            <div className="order-first">
              <Head tour={tour} isDirty={isDirty} />
              <div className="px-4 lg:px-6">
                <Tabs
                  label={m.tours_parts()}
                  value={show}
                  onChange={(tab) => setUrl({ show: tab === 'overview' ? undefined : tab })}
                  items={tabsFor(can('audit:read'))}
                />
              </div>
            </div>
            <div className="min-w-0 flex-1 px-4 pt-3 pb-6 lg:px-6">
              <TabPanel tab={show} tour={tour} editing={editing} form={form} readOnly={!mayManage} />
            </div>
            {mayManage && isDirty && (
              <FormFooter
                isDirty={isDirty}
                isPending={isPending}
                submitLabel={undefined}
                disabledReason={undefined}
                onCancel={() => {
                  form.reset(valuesOf(tour))
                  editing.reset()
                }}
                footerNote={m.tours_footer_note()}
              />
            )}
          </>
        )}
      </FormShell>
      <ConflictDialog editing={editing} onTaken={(theirs) => form.reset(valuesOf(theirs))} />
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </>
  )
}

const tabLabels: Record<EditTab, () => string> = {
  overview: m.tours_tab_overview,
  itinerary: m.tours_step_itinerary,
  prices: m.tours_step_prices,
  rules: m.tours_tab_rules,
  departures: m.tours_tab_departures,
  texts: m.tours_texts,
  revisions: m.tours_tab_revisions,
  activity: m.tours_tab_activity,
}

const tabsFor = (mayAudit: boolean): { key: EditTab; label: string }[] =>
  editTabs.filter((key) => key !== 'activity' || mayAudit).map((key) => ({ key, label: tabLabels[key]() }))

function Head({ tour, isDirty }: { tour: Tour; isDirty: boolean }) {
  const { can } = useAccess()
  const [isPublishing, setPublishing] = useState(false)
  const hasDraft = tour.draft !== null
  return (
    <PageHead
      title={tour.name}
      context={
        <span className="inline-flex flex-wrap items-center gap-3">
          <Ltr>{tour.code}</Ltr>
          <TourStatus status={tour.status} hasDraft={hasDraft && tour.revision !== null} />
        </span>
      }
      actions={
        <>
          {can('tours:manage') && <MoreMenu tour={tour} />}
          {can('bookings:manage') && tour.status === 'published' && (
            <Link to="/travelers/book" search={{ tour: tour.id }} className={buttonClass()}>
              <Ticket size={16} aria-hidden />
              {m.bookings_new()}
            </Link>
          )}
          {can('tours:manage') && tour.status === 'draft' && (
            <Link to="/tours/wizard/$id" params={{ id: tour.id }} className={buttonClass()}>
              <Route size={16} aria-hidden />
              {m.tours_wizard()}
            </Link>
          )}
          {can('tours:publish') && hasDraft && tour.status !== 'archived' && (
            <Button
              disabledReason={isDirty ? m.tours_save_first() : undefined}
              onClick={() => setPublishing(true)}
              variant={isDirty ? 'secondary' : 'primary'}
            >
              {m.tours_publish_open()}
            </Button>
          )}
          {isPublishing && <PublishDialog tour={tour} onClose={() => setPublishing(false)} />}
        </>
      }
    />
  )
}

function MoreMenu({ tour }: { tour: Tour }) {
  const navigate = useNavigate()
  const restore = useRestore()
  const [dialog, setDialog] = useState<'duplicate' | 'archive' | 'discard' | null>(null)
  const close = () => setDialog(null)
  const items: (MenuAction | false)[] = [
    tour.status === 'published' && {
      key: 'wizard',
      label: m.tours_wizard(),
      icon: Route,
      onSelect: () => void navigate({ to: '/tours/wizard/$id', params: { id: tour.id } }),
    },
    { key: 'copy', label: m.tours_duplicate(), icon: Copy, onSelect: () => setDialog('duplicate') },
    tour.draft !== null &&
      tour.revision !== null && {
        key: 'discard',
        label: m.tours_discard_draft(),
        icon: Trash2,
        onSelect: () => setDialog('discard'),
      },
    tour.status === 'published' && {
      key: 'archive',
      label: m.tours_archive(),
      icon: Archive,
      separated: true,
      onSelect: () => setDialog('archive'),
    },
    tour.status === 'archived' && {
      key: 'restore',
      label: m.tours_restore(),
      icon: Undo2,
      separated: true,
      onSelect: () => restore(tour),
    },
  ]
  return (
    <>
      <Menu
        label={m.tours_acts_of({ name: tour.name })}
        icon={Ellipsis}
        align="end"
        items={items.filter((item) => item !== false)}
      />
      {dialog === 'duplicate' && <DuplicateDialog tour={tour} onClose={close} />}
      {dialog === 'archive' && <ArchiveDialog tour={tour} onClose={close} />}
      {dialog === 'discard' && <DiscardDialog tour={tour} onClose={close} />}
    </>
  )
}
