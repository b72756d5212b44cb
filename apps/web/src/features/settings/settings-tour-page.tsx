import { defaultTourSettings, getTourSettings, updateTourSettings } from '@tour-ops/contract/settings/settings'
import { m } from '../../paraglide/messages.js'
import { SettingsEditor } from './settings-editor.tsx'
import { tourSections } from './tour-sections.ts'

/** Defaults, thresholds and policies of tours. See docs/screens.md, "Settings". */
export const SettingsTourPage = () => (
  <SettingsEditor
    title={m.settings_tour_title()}
    callables={{ get: getTourSettings, update: updateTourSettings }}
    sections={tourSections}
    defaults={defaultTourSettings}
  />
)
