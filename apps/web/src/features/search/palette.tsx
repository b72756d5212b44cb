import { useQuery } from '@tanstack/react-query'
import { displayedStatus } from '@tour-ops/contract/departures/displayed-status'
import { listDepartures } from '@tour-ops/contract/departures/departures'
import { searchAll, searchScopes, type SearchHit, type SearchScope } from '@tour-ops/contract/search/search'
import type { Out } from '@tour-ops/contract/callable'
import { tourOptionsForPickers } from '@tour-ops/contract/tours/tours'
import { CircleAlert, IdCard, Route, Ticket, Users, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { navigateTo } from '../../addresses/navigate-to.ts'
import { paths, withRecord } from '../../addresses/paths.ts'
import { visibleGroups } from '../../app/shell/navigation.ts'
import { useToday } from '../../app/shell/today.ts'
import { useAccess } from '../../identity/access.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { StatusChip } from '../../ui/chip.tsx'
import { CommandPalette, type PaletteGroup, type PaletteItem } from '../../ui/command-palette.tsx'
import { formatDayTimeThere, formatLocalDay } from '../../ui/format.ts'
import { currentLocale } from '../../ui/locale.ts'
import { useDebouncedInput } from '../../ui/use-debounced.ts'
import { commandsFor, departureCommandFor } from './commands.ts'
import { isTourNamed, saleWordsOf } from './sale-words.ts'
import { useLateLimits } from '../../app/late-limits.ts'

/** Pause in typing before the server is asked. */
const typingPauseMs = 150

const looks: Readonly<Record<SearchScope, { icon: LucideIcon; label: () => string }>> = {
  departures: { icon: Route, label: () => m.app_palette_departures() },
  bookings: { icon: Ticket, label: () => m.app_palette_bookings() },
  travelers: { icon: Users, label: () => m.app_palette_travelers() },
  staff: { icon: IdCard, label: () => m.app_palette_staff() },
  tours: { icon: Route, label: () => m.app_palette_tours() },
  incidents: { icon: CircleAlert, label: () => m.app_palette_incidents() },
}

/** Where a hit leads: a separate page, or a drawer over the current screen. */
function pathOf({ scope, id }: SearchHit): string {
  switch (scope) {
    case 'departures':
      return withRecord(location.pathname, 'departure', id)
    case 'bookings':
      return withRecord(location.pathname, 'booking', id)
    case 'incidents':
      return withRecord(paths.monitoring(), 'incident', id)
    case 'travelers':
      return paths.travelerDetails(id)
    case 'staff':
      return paths.fieldStaffDetails(id)
    case 'tours':
      return paths.tourEdit(id)
  }
}

/** Search over records and pages, and commands behind `>`. Opens with Ctrl+K or Cmd+K. */
export function Palette({ initialQuery, onClose }: { initialQuery: string; onClose: () => void }) {
  const [asked, setAsked] = useState(initialQuery)
  const [query, setQuery] = useDebouncedInput(asked, setAsked, typingPauseMs)
  const [scope, setScope] = useState('all')
  const access = useAccess()
  const words = query.trim()
  const isCommand = words.startsWith('>')
  const wanted = asked.trim()
  const { data, isFetching } = useQuery({
    ...callQuery(searchAll, { q: wanted, ...(scope === 'all' ? {} : { scopes: [scope as SearchScope] }) }),
    enabled: wanted !== '' && !isCommand,
    placeholderData: (before) => before,
  })
  const can = (permission: Parameters<typeof access.can>[0]) => access.can(permission)
  const places = scope === 'all' && !isCommand ? pageItems(words, can) : []
  const commands = scope === 'all' ? commandsFor(isCommand ? words.slice(1).trim() : words, can, isCommand) : []
  const begun = scope === 'all' ? departureCommandFor(isCommand ? words.slice(1).trim() : words, can) : null
  const departures = useCommandDepartures(begun)
  const sales = useSales(scope === 'all' && !isCommand && can('bookings:manage') ? words : '')
  const groups: PaletteGroup[] = [
    ...(sales.length > 0 ? [{ key: 'sale', label: m.bookings_new(), items: sales }] : []),
    ...(begun && departures.length > 0
      ? [{ key: 'departure-command', label: begun.command.title(), items: departures }]
      : []),
    ...(isCommand || words === '' || begun?.rest ? [] : hitGroups(data)),
    ...(places.length > 0 ? [{ key: 'pages', label: m.app_palette_pages(), items: places }] : []),
    ...(commands.length > 0 ? [{ key: 'commands', label: m.app_palette_actions(), items: commands }] : []),
  ]
  return (
    <CommandPalette
      open
      onClose={onClose}
      query={query}
      onQuery={setQuery}
      scopes={[
        { key: 'all', label: m.app_palette_all() },
        ...searchScopes.map((key) => ({ key, label: looks[key].label() })),
      ]}
      scope={scope}
      onScope={setScope}
      groups={groups}
      isFetching={isFetching}
    />
  )
}

/** Bookings that a line like `6 South Coast Tue` may mean. */
function useSales(line: string): PaletteItem[] {
  const said = saleWordsOf(line, useToday(), currentLocale())
  const { data } = useQuery({
    ...callQuery(tourOptionsForPickers, { status: ['published'] }),
    enabled: said !== null,
  })
  if (!said) return []
  return (data?.tours ?? [])
    .filter((tour) => isTourNamed(tour, said.tour))
    .slice(0, 4)
    .map(({ id, name, code }) => {
      const begin = { tour: id, ...(said.day && { day: said.day }), seats: String(said.seats) }
      return {
        key: `sale-${id}`,
        icon: Ticket,
        title: m.bookings_sell({ count: said.seats, tour: name }),
        time: said.day === null ? undefined : formatLocalDay(said.day),
        detail: code,
        onSelect: () => navigateTo(`${paths.newBooking()}?${new URLSearchParams(begin).toString()}`),
      }
    })
}

/** Departures that a command is for: those that its words name, or the next ones. */
function useCommandDepartures(begun: ReturnType<typeof departureCommandFor>): PaletteItem[] {
  const rest = begun?.rest ?? ''
  const named = useQuery({
    ...callQuery(searchAll, { q: rest || '-', scopes: ['departures'] }),
    enabled: rest !== '',
    placeholderData: (before) => before,
  })
  const today = useToday()
  const next = useQuery({
    ...callQuery(listDepartures, { filters: { from: today }, sort: [{ by: 'startsAt' }], size: 30 }),
    enabled: begun !== null && rest === '',
  })
  if (!begun) return []
  const rows =
    rest === ''
      ? (next.data?.rows ?? []).map(({ id, code, tourName: title, startsAt, timeZone, status }) => ({
          id,
          code,
          title,
          startsAt,
          timeZone,
          status,
        }))
      : (named.data?.hits ?? [])
  return rows
    .filter(({ status }) => !overStatuses.includes(status ?? ''))
    .slice(0, 6)
    .map((row) => ({
      key: `${begun.command.key}-${row.id}`,
      icon: begun.command.icon,
      title: row.title,
      time: row.startsAt ? formatDayTimeThere(row.startsAt, row.timeZone ?? undefined) : undefined,
      detail: row.code ?? undefined,
      onSelect: () => begun.command.run(row.id),
    }))
}

const overStatuses = ['completed', 'cancelled', 'aborted']

/** Pages of the navigation whose name contains the words; all of them before anything is typed. */
function pageItems(words: string, can: Parameters<typeof visibleGroups>[0]): PaletteItem[] {
  return visibleGroups(can)
    .flatMap((group) => group.entries)
    .filter((entry) => entry.label().toLocaleLowerCase().includes(words.toLocaleLowerCase()))
    .map((entry) => ({
      key: entry.path,
      icon: entry.icon,
      title: entry.label(),
      href: entry.path,
      onSelect: () => navigateTo(entry.path),
    }))
}

function hitGroups(found: Out<typeof searchAll> | undefined): PaletteGroup[] {
  return searchScopes.flatMap((scope) => {
    const hits = (found?.hits ?? []).filter((hit) => hit.scope === scope)
    return hits.length > 0 ? [{ key: scope, label: looks[scope].label(), items: hits.map(hitItem) }] : []
  })
}

function hitItem(hit: SearchHit): PaletteItem {
  const when = hit.startsAt ? formatDayTimeThere(hit.startsAt, hit.timeZone ?? undefined) : undefined
  return {
    key: `${hit.scope}-${hit.id}`,
    icon: looks[hit.scope].icon,
    title: hit.title,
    time: hit.scope === 'departures' ? when : undefined,
    detail: [hit.code, hit.scope === 'departures' ? undefined : when, hit.detail].filter(Boolean).join(' · '),
    end: endOf(hit),
    href: pathOf(hit),
    onSelect: () => navigateTo(pathOf(hit)),
  }
}

function endOf(hit: SearchHit): ReactNode {
  if (hit.scope === 'departures') return <DepartureStatus hit={hit} />
  const isCancelled = hit.scope === 'bookings' && (hit.status === 'cancelled' || hit.departureStatus === 'cancelled')
  return isCancelled ? <StatusChip status="cancelled" /> : undefined
}

function DepartureStatus({ hit }: { hit: SearchHit }) {
  const [openedAt] = useState(() => new Date())
  const limits = useLateLimits()
  if (!hit.status) return null
  const facts = { delaySeconds: hit.delaySeconds ?? 0, seatsConfirmed: 0, minPax: 0, decideBy: null }
  const status = hit.status as Parameters<typeof displayedStatus>[0]['status']
  return <StatusChip status={displayedStatus({ ...facts, status }, openedAt, limits)} />
}
