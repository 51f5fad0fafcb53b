// At a web address: the worker that keeps the page for times without a network, and lets it be installed.

navigator.serviceWorker?.register("order-page-worker.js").catch(() => {});
