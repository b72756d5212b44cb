import { Menu as MenuIcon, Search } from 'lucide-react'
import { useAuthStore } from '../../identity/auth-store.ts'
import { m } from '../../paraglide/messages.js'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { loadLater } from '../../ui/load-later.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useStartupPhase } from '../loader.ts'
import { useNavigationInBar } from '../preferences.ts'
import { Bell } from './bell.tsx'
import { setDrawerOpen, useDrawer } from './drawer-state.ts'
import { LanguageMenu } from './language-menu.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { isApple, openPalette } from './palette-state.tsx'
import { useShellSlots } from './slots.ts'
import { OrganizationLine } from './organization-line.tsx'
import { ThemeButton } from './theme-button.tsx'

/** For those who chose it; everybody else has the drawer. */
const BarNavigation = loadLater(async () => (await import('./bar-navigation.tsx')).BarNavigation)

/**
 * The app bar, 64 high, with the user button in the middle of it ("centred user-button area", spec, section 2). Pages without a shell
 * (sign-in, organization choice, errors) have nothing else in it.
 */
export function AppBar({ kind }: { kind: 'shell' | 'bare' }) {
  return (
    <header className="no-print fixed inset-x-0 top-0 z-30 h-[var(--app-bar)] border-b border-line bg-surface">
      <Bar kind={kind} />
    </header>
  )
}

/** Until it is known who is there, the bar is that of the static frame; when that lasts, the one of pages without a shell. */
function Bar({ kind }: { kind: 'shell' | 'bare' }) {
  const isMember = useAuthStore((state) => state.organization !== null)
  const { phase } = useStartupPhase()
  if (kind === 'bare' || phase === 'stuck' || phase === 'failed') return <BareBar />
  return isMember ? <ShellBar /> : <StartingBar />
}

function StartingBar() {
  return (
    <>
      <div className="flex h-full items-center gap-3 px-5">
        <Mark />
        <b className="text-sm font-semibold text-ink-strong">{m.app_product_name()}</b>
      </div>
      <div className="start-drawer lg:block" />
    </>
  )
}

function BareBar() {
  const isAuthenticated = useAuthStore((state) => state.isAuthenticated)
  const { UserButton } = useShellSlots()
  return (
    <div className="flex h-full items-center justify-center gap-2 px-4">
      <Mark />
      <b className="ms-1 me-2 text-sm font-semibold text-ink-strong">{m.app_product_name()}</b>
      <span className="me-1 h-5 w-px bg-line" aria-hidden />
      <LanguageMenu />
      <ThemeButton />
      {isAuthenticated && <UserButton />}
    </div>
  )
}

function ShellBar() {
  const inBar = useNavigationInBar()
  const isOpen = useDrawer((state) => state.isOpen)
  const { OrganizationSwitcher, UserButton } = useShellSlots()
  return (
    <div
      className={classNames(
        'grid h-full items-center gap-1 px-2 lg:gap-3 lg:px-3',
        // The navigation may need more than its half; the user button then moves to the side instead of covering it.
        inBar
          ? 'grid-cols-[minmax(min-content,1fr)_auto_minmax(min-content,1fr)]'
          : 'grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]',
      )}
    >
      <div className="flex h-full min-w-0 items-center gap-1 lg:gap-3">
        <IconButton
          icon={MenuIcon}
          iconSize={20}
          label={isOpen ? m.app_close_menu() : m.app_open_menu()}
          aria-expanded={isOpen}
          aria-controls="navigation"
          className="lg:hidden"
          onClick={() => setDrawerOpen(!isOpen)}
        />
        <div className={classNames('min-w-0 max-lg:flex-1', inBar ? 'lg:max-w-[200px]' : 'lg:w-[256px] lg:shrink-0')}>
          <OrganizationSwitcher subtitle={<SwitcherLine />} />
        </div>
        {inBar ? <BarNavigation /> : <SearchField />}
      </div>
      <UserButton />
      <div className="flex min-w-0 items-center justify-end gap-1 lg:gap-3">
        {inBar && <CompactSearch />}
        <LiveIndicator />
        <IconButton
          icon={Search}
          iconSize={20}
          label={m.app_search()}
          className="lg:hidden"
          onClick={() => openPalette()}
        />
        <ThemeButton className="max-lg:hidden" />
        <Bell />
      </div>
    </div>
  )
}

/** Under the organization's name: its place and time, on small screens the age of the data. */
function SwitcherLine() {
  return (
    <>
      <span className="max-lg:hidden">
        <OrganizationLine />
      </span>
      <span className="lg:hidden">
        <LiveIndicator isCompact />
      </span>
    </>
  )
}

const searchKeys = () => [isApple() ? '⌘' : 'Ctrl', 'K']

function SearchField() {
  return (
    <button
      type="button"
      className="hidden h-9 w-[360px] min-w-0 items-center gap-2 rounded-lg border border-ctl bg-surface px-3 text-sm text-ink-2 hover:bg-surface-2 lg:flex"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openPalette()}
    >
      <Search size={16} aria-hidden />
      <span className="truncate">{m.app_search_placeholder()}</span>
      <span className="ms-auto" aria-hidden>
        <Kbd keys={searchKeys()} />
      </span>
    </button>
  )
}

function CompactSearch() {
  return (
    <button
      type="button"
      className="hidden h-9 w-[180px] items-center gap-2 rounded-lg border border-line bg-surface-2 px-3 text-sm text-ink-2 hover:text-ink-strong lg:flex"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openPalette()}
    >
      <Search size={16} aria-hidden />
      {m.app_search()}
      <span className="ms-auto" aria-hidden>
        <Kbd keys={[searchKeys().join(' ')]} />
      </span>
    </button>
  )
}
