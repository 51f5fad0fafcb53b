"""The order page: one HTML file that writes, checks, signs and sends orders.

Exports `order_page`, `web_app`, `order_language`, `page_data` and `minify`.
"""
