import { CircleX, Ellipsis, Link2, Navigation, Route, Ticket, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Chip, StatusChip } from '../../ui/chip.tsx'
import { Combobox, type ComboboxOption } from '../../ui/combobox.tsx'
import { CommandPalette } from '../../ui/command-palette.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LoadBar } from '../../ui/load-bar.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'

const tabs = ['Run sheet', 'Manifest', 'Crew & vehicle', 'Services', 'Messages', 'Incidents', 'History'].map(
  (label, at) => ({
    key: label,
    label,
    count: at === 1 ? 18 : undefined,
  }),
)

const found = ['Golden Circle', 'South Coast', 'Alfama walk'].map((label) => ({
  value: label,
  label,
  detail: '3 departures',
}))

/** Dialogs, menus, popovers, drawer, toasts, palette. */
export function GalleryOverlays() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | 'drawer' | 'palette' | null>(null)
  const [tab, setTab] = useState('Manifest')
  const [query, setQuery] = useState('gol')
  const [scope, setScope] = useState('all')
  const [option, setOption] = useState<ComboboxOption | null>(null)
  const [shown, setShown] = useState(['phone'])
  const close = () => setOpen(null)
  return (
    <Card padded title="Press one">
      <div className="flex flex-wrap items-start gap-3">
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => setOpen('drawer')}>Drawer</Button>
        <Button onClick={() => setOpen('palette')}>Palette</Button>
        <Button
          onClick={() => toast('Booking cancelled.', { label: 'Undo', onPress: () => toast('Booking is back.') })}
        >
          Toast
        </Button>
        <Menu
          label="Status: Boarding. Change"
          look={{ className: 'border-ctl' }}
          icon={Navigation}
          chevron
          heading="Boarding since 07:48 · Björn Ólafsson"
          width={300}
          items={[
            {
              key: 'start',
              label: 'Start tour',
              hint: 'Needs a head count',
              icon: Navigation,
              onSelect: () => toast('Started'),
            },
            {
              key: 'cancel',
              label: 'Cancel departure',
              hint: 'Frees seats, crew and vehicle; tells 18 guests',
              icon: CircleX,
              onSelect: () => toast('Cancelled'),
            },
            {
              key: 'delete',
              label: 'Delete',
              icon: Trash2,
              danger: true,
              separated: true,
              onSelect: () => toast('Deleted'),
            },
            { key: 'no', label: 'Not now', disabled: true, onSelect: () => toast('No') },
          ]}
        >
          Boarding
        </Menu>
        <Menu
          label="More actions"
          icon={Ellipsis}
          items={['phone', 'e-mail', 'city'].map((key) => ({
            key,
            label: key,
            checked: shown.includes(key),
            keepOpen: true,
            onSelect: () => setShown(shown.includes(key) ? shown.filter((other) => other !== key) : [...shown, key]),
          }))}
        />
        <Popover label="Filter" button="Popover">
          {(done) => (
            <>
              <Field label="City">
                <TextInput />
              </Field>
              <div className="mt-3 text-end">
                <Button size="sm" variant="primary" onClick={done}>
                  Apply
                </Button>
              </div>
            </>
          )}
        </Popover>
        <div className="w-60">
          <Combobox label="Tour" options={found} value={option} onChange={setOption} placeholder="Tour" />
        </div>
      </div>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="Change the pickup"
        description="Golden Circle, Sat 21 Nov 09:00"
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" disabledReason="“Born” needs an answer first">
              Save
            </Button>
          </>
        }
      >
        <Field label="Pickup" hint="08:20 to 08:50" error="This stop is not on the way.">
          <TextInput defaultValue="City Hall" />
        </Field>
        <Field label="Tour" className="mt-3">
          <Combobox options={found} value={option} onChange={setOption} />
        </Field>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        onClose={close}
        onConfirm={close}
        title="Cancel 09:00 Golden Circle?"
        confirmLabel="Cancel the departure"
        cancelLabel="Keep it"
        danger
        error="One guest is aboard already."
      >
        Frees 18 seats, the guide and the minibus, and tells 18 guests. This cannot be undone.
      </ConfirmDialog>
      {open === 'drawer' && (
        <Drawer
          label="Departure GOLD-261120-0900"
          onClose={close}
          onStep={(by) => toast(by > 0 ? 'Next' : 'Previous')}
          head={
            <>
              <h2 className="truncate text-xl font-semibold tracking-tight">Golden Circle</h2>
              <span className="num ms-2 text-ink-2 max-lg:hidden">GOLD-261120-0900</span>
            </>
          }
          headActions={<IconButton label="Copy link" icon={Link2} small />}
          subhead={
            <>
              <p className="num text-ink-2">Fri 20 Nov, 09:00–17:00 Reykjavík · Björn Ólafsson</p>
              <div className="mt-2.5 flex flex-wrap items-center gap-3">
                <StatusChip status={{ status: 'delayed', delayMin: 18 }} />
                <Chip tone="info" icon={Ticket}>
                  Starts in 7 min
                </Chip>
                <LoadBar value={18} capacity={19} className="ms-auto" />
              </div>
              <div className="mt-2">
                <Tabs label="Departure" items={tabs} value={tab} onChange={setTab} />
              </div>
            </>
          }
          footer={
            <>
              <b className="font-semibold text-ink-strong">3 selected</b>
              <span className="flex-1" />
              <Button>No-show</Button>
              <Button variant="primary">Check in 3</Button>
            </>
          }
        >
          <p className="p-6">What is beside the sheet stays usable.</p>
        </Drawer>
      )}
      <CommandPalette
        open={open === 'palette'}
        onClose={close}
        query={query}
        onQuery={setQuery}
        scopes={['All', 'Departures', 'Travelers', 'Bookings', 'Staff'].map((label) => ({
          key: label.toLowerCase(),
          label,
        }))}
        scope={scope}
        onScope={setScope}
        groups={
          query === ''
            ? []
            : [
                {
                  key: 'departures',
                  label: 'Departures',
                  items: [
                    {
                      key: 'd1',
                      icon: Route,
                      time: '09:00',
                      title: 'Golden Circle',
                      detail: 'today · Björn Ólafsson',
                      end: <StatusChip status={{ status: 'delayed', delayMin: 18 }} />,
                      onSelect: () => toast('Opened'),
                    },
                    {
                      key: 'd2',
                      icon: Route,
                      time: '10:00',
                      title: 'Golden Circle',
                      detail: 'Sat 21 Nov · Dalia Haddad',
                      end: <StatusChip status="scheduled" />,
                      onSelect: () => toast('Opened'),
                    },
                  ],
                },
                {
                  key: 'travelers',
                  label: 'Travelers',
                  items: [
                    {
                      key: 't1',
                      icon: Users,
                      title: 'Golda Simmons',
                      detail: 'Sun 22 Nov 09:00 · Sintra and Cascais',
                      onSelect: () => toast('Opened'),
                    },
                  ],
                },
              ]
        }
      />
    </Card>
  )
}
