import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../../ui/app.css'
import { startTheme } from '../../ui/theme.ts'
import { GalleryPage } from './gallery-page.tsx'

// Development only (gallery.html). `?dir=rtl` and `?lang=de` show the kit the other way round and in another language.
const wanted = new URLSearchParams(location.search)
document.documentElement.dir = wanted.get('dir') ?? 'ltr'
document.documentElement.lang = wanted.get('lang') ?? 'en'
startTheme()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <GalleryPage part={wanted.get('part') ?? 'parts'} />
    </StrictMode>,
  )
}
