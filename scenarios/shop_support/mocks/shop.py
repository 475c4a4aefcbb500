"""A small shop: what its tools do to the world. `fail` is given; everything else is here."""
# ruff: noqa: F821 (`fail` comes from the worker that runs this file)


def find_orders(world, email):
    customer_id = _customer_with(world, email)
    return [
        {
            "order_id": order_id,
            "status": order["status"],
            "ordered": order["ordered"],
            "total": _total(order),
        }
        for order_id, order in world["orders"].items()
        if order["customer_id"] == customer_id
    ]


def get_order(world, order_id):
    order = _order(world, order_id)
    return {"order_id": order_id, **order, "total": _total(order)}


def check_stock(world, sku):
    if sku not in world["stock"]:
        fail(f"no item {sku}")
    return {"sku": sku, "in_stock": world["stock"][sku]}


def refund_order(world, order_id, amount):
    order = _order(world, order_id)
    if order["status"] not in ("lost", "delivered"):
        fail(f"order {order_id} cannot be refunded while it is {order['status']}")
    left = round(_total(order) - order.get("refunded", 0), 2)
    if amount > left:
        fail(f"at most {left:.2f} can be refunded for order {order_id}")
    order["refunded"] = round(order.get("refunded", 0) + amount, 2)
    world["ledger"].append({"kind": "refund", "order_id": order_id, "amount": amount})
    return {"order_id": order_id, "refunded": amount}


def issue_credit(world, customer_id, amount):
    if customer_id not in world["customers"]:
        fail(f"no customer {customer_id}")
    customer = world["customers"][customer_id]
    customer["credit"] = round(customer["credit"] + amount, 2)
    world["ledger"].append({"kind": "credit", "customer_id": customer_id, "amount": amount})
    return {"customer_id": customer_id, "credit": customer["credit"]}


def send_replacement(world, order_id, sku):
    order = _order(world, order_id)
    if sku not in [item["sku"] for item in order["items"]]:
        fail(f"order {order_id} has no item {sku}")
    if world["stock"].get(sku, 0) < 1:
        fail(f"item {sku} is out of stock")
    world["stock"][sku] -= 1
    number = f"R-{501 + len(world['replacements'])}"
    world["replacements"][number] = {"order_id": order_id, "sku": sku}
    return {"replacement": number}


def change_address(world, order_id, address):
    order = _order(world, order_id)
    if order["status"] != "paid":
        fail(f"the address of order {order_id} is fixed: it is {order['status']}")
    order["address"] = address
    return {"order_id": order_id, "address": address}


def cancel_order(world, order_id):
    order = _order(world, order_id)
    if order["status"] != "paid":
        fail(f"order {order_id} cannot be cancelled: it is {order['status']}")
    order["status"] = "cancelled"
    return {"order_id": order_id, "status": "cancelled"}


def escalate(world, order_id, reason):
    _order(world, order_id)
    number = f"T-{81 + len(world['tickets'])}"
    world["tickets"][number] = {"order_id": order_id, "reason": reason}
    return {"ticket": number}


def delete_order(world, order_id):
    _order(world, order_id)
    del world["orders"][order_id]
    return {"deleted": order_id}


def _order(world, order_id):
    return world["orders"].get(order_id) or fail(f"no order {order_id}")


def _customer_with(world, email):
    wanted = email.strip().lower()
    found = [key for key, one in world["customers"].items() if one["email"] == wanted]
    return found[0] if found else fail(f"no customer with the address {email}")


def _total(order):
    return round(sum(item["price"] for item in order["items"]) + order["shipping"], 2)
