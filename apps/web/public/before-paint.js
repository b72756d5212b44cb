// Runs before the first paint, so that neither colors nor direction jump. Keys and values are those of app/theme.ts and app/locale.ts.
;(function () {
  var root = document.documentElement
  var stored = {}
  try {
    stored = { theme: localStorage.getItem('theme'), locale: localStorage.getItem('PARAGLIDE_LOCALE') }
  } catch {
    // Storage is closed to us (private mode, blocked cookies): the defaults of the system hold.
  }
  var dark = stored.theme === 'dark' || (stored.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.classList.toggle('dark', dark)
  if (stored.locale) root.lang = stored.locale
  // The first format of a date takes the engine long; between the first paint and the arrival of the modules it has nothing else to do.
  requestAnimationFrame(function () {
    setTimeout(Intl.DateTimeFormat)
  })
})()
