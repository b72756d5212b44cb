import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ToastViewport } from '../../ui/toast.tsx'
import { GalleryForm } from './gallery-form.tsx'
import { GalleryOverlays } from './gallery-overlays.tsx'
import { GalleryParts } from './gallery-parts.tsx'
import { GalleryTable } from './gallery-table.tsx'

const parts = {
  parts: { label: 'Parts', screen: GalleryParts },
  overlays: { label: 'What floats', screen: GalleryOverlays },
  table: { label: 'Table', screen: GalleryTable },
  form: { label: 'Form', screen: GalleryForm },
}
type Part = keyof typeof parts

/** Every part of the kit in every state; for looking at it while it is changed, and for pictures. Not in the product. */
export function GalleryPage({ part }: { part: string }) {
  const shown: Part = part in parts ? (part as Part) : 'parts'
  const Screen = parts[shown].screen
  const open = (next: Part) => {
    const address = new URL(location.href)
    address.searchParams.set('part', next)
    location.assign(address)
  }
  return (
    <div style={{ '--top': '48px' } as React.CSSProperties}>
      <nav className="h-12 border-b border-line bg-surface px-4 lg:px-6">
        <Tabs
          label="Part of the kit"
          items={Object.entries(parts).map(([key, { label }]) => ({ key: key as Part, label }))}
          value={shown}
          onChange={open}
        />
      </nav>
      <main>
        {shown === 'form' ? (
          <Screen />
        ) : (
          <Page title={parts[shown].label} context="All states" fill={shown === 'table'}>
            <Screen />
          </Page>
        )}
      </main>
      <ToastViewport />
    </div>
  )
}
